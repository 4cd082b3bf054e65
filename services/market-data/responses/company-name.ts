/**
 * The exchange's listing file cuts names at this length. A space before the cut is removed too, so a cut name may be
 * one character shorter.
 */
const CUT_AT = 30;

/** Full names of companies whose listed name is cut within or before the last word. */
const WHOLE_NAMES: Readonly<Record<string, string>> = {
  AEGS: 'Anugerah Spareparts Sejahtera Tbk.',
  ALMI: 'Alumindo Light Metal Industry Tbk.',
  AMIN: 'Ateliers Mecaniques D Indonesie Tbk.',
  AMOR: 'Ashmore Asset Management Indonesia Tbk.',
  ASHA: 'Cilacap Samudera Fishing Industry Tbk.',
  ASMI: 'Asuransi Maximus Graha Persada Tbk.',
  BBNI: 'Bank Negara Indonesia (Persero) Tbk.',
  BBRI: 'Bank Rakyat Indonesia (Persero) Tbk.',
  BBRM: 'Pelayaran Nasional Bina Buana Raya Tbk.',
  BBTN: 'Bank Tabungan Negara (Persero) Tbk.',
  BEKS: 'Bank Pembangunan Daerah Banten Tbk.',
  BEST: 'Bekasi Fajar Industrial Estate Tbk.',
  BIMA: 'Primarindo Asia Infrastructure Tbk.',
  BIPI: 'Astrindo Nusantara Infrastruktur Tbk.',
  BJBR: 'Bank Pembangunan Daerah Jawa Barat dan Banten Tbk.',
  BJTM: 'Bank Pembangunan Daerah Jawa Timur Tbk.',
  BPII: 'Batavia Prosperindo Internasional Tbk.',
  BSML: 'Bintang Samudera Mandiri Lines Tbk.',
  CARS: 'Industri dan Perdagangan Bintraco Dharma Tbk.',
  CCSI: 'Communication Cable Systems Indonesia Tbk.',
  CENT: 'Centratama Telekomunikasi Indonesia Tbk.',
  CMNP: 'Citra Marga Nusaphala Persada Tbk.',
  CSIS: 'Cahayasakti Investindo Sukses Tbk.',
  DNET: 'Indoritel Makmur Internasional Tbk.',
  DSFI: 'Dharma Samudera Fishing Industries Tbk.',
  ELPI: 'Pelayaran Nasional Ekalya Purnamasari Tbk.',
  EPAC: 'Megalestari Epack Sentosaraya Tbk.',
  GHON: 'Gihon Telekomunikasi Indonesia Tbk.',
  GMFI: 'Garuda Maintenance Facility Aero Asia Tbk.',
  GMTD: 'Gowa Makassar Tourism Development Tbk.',
  GOLD: 'Visi Telekomunikasi Infrastruktur Tbk.',
  GSMF: 'Equity Development Investment Tbk.',
  HAIS: 'Hasnur Internasional Shipping Tbk.',
  HITS: 'Humpuss Intermoda Transportasi Tbk.',
  HUMI: 'Humpuss Maritim Internasional Tbk.',
  IFII: 'Indonesia Fibreboard Industry Tbk.',
  IKAI: 'Intikeramik Alamasri Industri Tbk.',
  IMAS: 'Indomobil Sukses Internasional Tbk.',
  INPC: 'Bank Artha Graha Internasional Tbk.',
  ISSP: 'Steel Pipe Industry of Indonesia Tbk.',
  JATI: 'Informasi Teknologi Indonesia Tbk.',
  JGLE: 'Graha Andrasentra Propertindo Tbk.',
  JIHD: 'Jakarta International Hotels & Development Tbk.',
  JKON: 'Jaya Konstruksi Manggala Pratama Tbk.',
  JMAS: 'Asuransi Jiwa Syariah Jasa Mitra Abadi Tbk.',
  JSPT: 'Jakarta Setiabudi Internasional Tbk.',
  KBRI: 'Kertas Basuki Rachmat Indonesia Tbk.',
  KLAS: 'Pelayaran Kurnia Lautan Semesta Tbk.',
  LIFE: 'MSIG Life Insurance Indonesia Tbk.',
  MAGP: 'Multi Agro Gemilang Plantation Tbk.',
  MCOR: 'Bank China Construction Bank Indonesia Tbk.',
  MIRA: 'Mitra International Resources Tbk.',
  MREI: 'Maskapai Reasuransi Indonesia Tbk.',
  MTWI: 'Malacca Trust Wuwungan Insurance Tbk.',
  PACK: 'Abadi Nusantara Hijau Investama Tbk.',
  PADI: 'Minna Padi Investama Sekuritas Tbk.',
  PGLI: 'Pembangunan Graha Lestari Indah Tbk.',
  PTSP: 'Pioneerindo Gourmet International Tbk.',
  RMKO: 'Royaltama Mulia Kontraktorindo Tbk.',
  ROCK: 'Rockfields Properti Indonesia Tbk.',
  SBAT: 'Sejahtera Bintang Abadi Textile Tbk.',
  SCCO: 'Supreme Cable Manufacturing & Commerce Tbk.',
  SCNP: 'Selaras Citra Nusantara Perkasa Tbk.',
  SDPC: 'Millennium Pharmacon International Tbk.',
  SDRA: 'Bank Woori Saudara Indonesia 1906 Tbk.',
  SHID: 'Hotel Sahid Jaya International Tbk.',
  SIDO: 'Industri Jamu dan Farmasi Sido Muncul Tbk.',
  SILO: 'Siloam International Hospitals Tbk.',
  SKYB: 'Northcliff Citranusa Indonesia Tbk.',
  SWID: 'Saraswanti Indoland Development Tbk.',
  TUGU: 'Asuransi Tugu Pratama Indonesia Tbk.',
  ULTJ: 'Ultrajaya Milk Industry & Trading Company Tbk.',
  VTNY: 'Venteny Fortuna International Tbk.',
  WICO: 'Wicaksana Overseas International Tbk.',
};

/**
 * The full name of a company whose listed name may have been cut. A cut `Tbk.` is completed. Other cut names are looked
 * up, and the full name is used only if it starts with the listed one. Returns undefined if there is no name, or no
 * full one.
 */
export function wholeCompanyName(ticker: string, listed: string): string | undefined {
  if (listed.length < CUT_AT - 1 || listed.endsWith('Tbk.')) return listed || undefined;
  const known = WHOLE_NAMES[ticker];
  if (known?.startsWith(listed)) return known;
  if (listed.length > CUT_AT) return listed;
  return / T(b|bk)?$/.test(listed) ? listed.replace(/ Tb?k?$/, ' Tbk.') : undefined;
}
