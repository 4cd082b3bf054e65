import { inLanguages } from '#console/words/in-languages.ts';

export const words = inLanguages({
  en: {
    title: 'Stocks',
    search: 'Code or name',
    name: 'Name',
    sector: 'Sector',
    board: 'Board',
    listedOn: 'Listed on',
    lastTraded: 'Last traded',
    delisted: 'Delisted',
    none: (search: string) => `No stock has a code or name like “${search}”.`,
    first: (count: string) => `The first ${count} by code. A search finds the others.`,
  },
  id: {
    title: 'Saham',
    search: 'Kode atau nama',
    name: 'Nama',
    sector: 'Sektor',
    board: 'Papan',
    listedOn: 'Tercatat sejak',
    lastTraded: 'Terakhir diperdagangkan',
    delisted: 'Tidak tercatat lagi',
    none: (search: string) => `Tidak ada saham dengan kode atau nama seperti “${search}”.`,
    first: (count: string) => `${count} yang pertama menurut kode. Yang lain dapat dicari.`,
  },
});
