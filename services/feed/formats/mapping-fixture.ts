import { checkedMapping, type Mapping } from './mapping.ts';

/** A mapping with its defaults. Throws if it has mistakes. */
export function mappingOf(declared: object): Mapping {
  const checked = checkedMapping(declared);
  if ('mistakes' in checked) throw new Error(JSON.stringify(checked.mistakes));
  return checked.mapping;
}

/** The worked example of docs/feeds.md: bars of a vendor who writes numbers as in Indonesia and counts in lots. */
export const VENDOR_MAPPING = {
  into: 'bars',
  body: { format: 'csv', delimiter: ';' },
  decimal_mark: ',',
  thousands_mark: '.',
  missing: ['', '-'],
  date_format: 'DD/MM/YYYY',
  skip: [
    { column: 'Kode', is: ['TOTAL'] },
    { column: 'Kode', matches: '-W\\d*$' },
  ],
  fields: {
    ticker: { column: 'Kode' },
    name: { column: 'Nama' },
    date: { column: 'Tanggal' },
    previous: { column: 'Sebelumnya' },
    high: { column: 'Tertinggi' },
    low: { column: 'Terendah' },
    close: { column: 'Penutupan' },
    volume: { column: 'Volume (lot)', unit: 'lots' },
    value: { column: 'Nilai (juta)', unit: 'million_idr' },
  },
};

export const VENDOR_CSV = `Kode;Nama;Tanggal;Sebelumnya;Tertinggi;Terendah;Penutupan;Volume (lot);Nilai (juta)
QAAA;Contoh Alfa Tbk.;01/07/2024;1.000;1.030;995;1.020;12.000;1.214,4
QBBB;"Contoh Beta; Tbk.";01/07/2024;200;-;-;200;-;-
QAAA-W;Waran Alfa;01/07/2024;50;51;50;50;1;0,005
TOTAL;;01/07/2024;;;;;12.001;1.214,405
`;
