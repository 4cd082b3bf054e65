import type { FieldType } from '#fields/field-type.ts';
import type { MistakeCode, MistakeParams } from '#fields/rules/mistakes.ts';

const TYPES: Readonly<Record<FieldType, string>> = {
  number: 'angka',
  text: 'teks',
  boolean: 'benar atau salah (true atau false)',
};
const HINTS: Readonly<Record<FieldType, string>> = {
  number: 'bandingkan dengan angka',
  text: 'gunakan = (equal) atau in',
  boolean: 'gunakan = (equal) dengan true atau false',
};
const PIECES: Readonly<Record<string, string>> = {
  '<condition>': 'sebuah kondisi',
  '<field>': 'sebuah kolom data',
  '<number>': 'sebuah angka',
  '<days>': 'jumlah hari',
  '<quoted>': 'teks dalam tanda kutip',
  '<comma>': 'koma',
  '<end>': 'akhir aturan',
};

const alternatives = (words: readonly string[]) =>
  words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} atau ${words.at(-1)}`;
const didYouMean = ({ meant }: { meant: string | undefined }) =>
  meant === undefined ? '' : `; maksud Anda ${meant}?`;
const expectation = ({ expected, after }: MistakeParams<'expected'>) =>
  alternatives(expected.map((one) => PIECES[one] ?? one)) +
  (after === undefined ? '' : ` sesudah “${after}”`);

/** The mistakes of rules by their code. */
const INDONESIAN: { readonly [Code in MistakeCode]: (params: MistakeParams<Code>) => string } = {
  text_too_long: ({ max }) => `aturan paling banyak ${max} karakter`,
  too_deep: ({ max }) => `kondisi paling banyak bersarang ${max} tingkat`,
  unclosed_quote: ({ quote }) => `tanda ${quote} ini tidak ditutup`,
  meaningless_character: ({ character }) => `“${character}” tidak berarti di sini`,
  expected: (params) =>
    `seharusnya ${expectation(params)}, bukan ${params.found === null ? 'akhir aturan' : `“${params.found}”`}`,
  percent_missing: () => 'perlu tanda % seperti angka yang lain',
  not_in_percent: ({ name }) => `“${name}” tidak dibandingkan dalam persen: hapus %`,
  needs_members: ({ names }) => `perlu sebuah objek dengan ${names.join(', ')}`,
  no_member: (params) =>
    `tidak ada anggota “${params.name}” di sini, hanya ${params.names.join(', ')}${didYouMean(params)}`,
  needs_whole_number: ({ max }) => `perlu bilangan bulat dari 1 sampai ${max}`,
  needs_number: () => 'perlu sebuah angka',
  needs_two_numbers: () => 'perlu dua angka',
  needs_boolean: () => 'perlu true atau false',
  needs_field_name: () => 'perlu nama sebuah kolom data',
  no_field: (params) => `tidak ada kolom data “${params.name}”${didYouMean(params)}`,
  needs_condition: () => 'perlu sebuah kondisi: objek dengan field, all, any atau not',
  needs_conditions: () => 'perlu daftar berisi satu kondisi atau lebih',
  too_many_comparisons: ({ max }) => `aturan paling banyak berisi ${max} perbandingan`,
  too_many_items: ({ max, count }) =>
    `semua daftar bersama-sama paling banyak ${max} nilai, dan ini ${count}`,
  too_many_sort_keys: ({ max }) => `perlu daftar berisi paling banyak ${max} kolom data`,
  sorted_twice: ({ name }) => `“${name}” dipakai dua kali untuk mengurutkan`,
  needs_order: ({ orders }) => `perlu ${alternatives(orders)}`,
  needs_comparison: ({ comparisons }) => `perlu satu perbandingan dari ${comparisons.join(', ')}`,
  second_comparison: ({ first }) =>
    `berada di samping ${first}, padahal satu kondisi berisi satu perbandingan`,
  belongs_elsewhere: ({ names }) => `hanya untuk ${names.join(' dan ')}`,
  needs_measure: (params) => `perlu salah satu dari ${params.measures.join(', ')}${didYouMean(params)}`,
  no_measure_of: ({ name, type, measure }) => `“${name}” adalah ${TYPES[type]} dan tidak memiliki ${measure}`,
  needs_field_itself: ({ measure }) => `perlu kolom data itu sendiri, bukan ${measure}-nya`,
  measure_needs_number: ({ measure }) =>
    `perlu sebuah angka, karena ${measure} sebuah kolom data hanya dibandingkan dengan angka`,
  wrong_comparison: ({ name, type }) => `“${name}” adalah ${TYPES[type]}: ${HINTS[type]}`,
  needs_number_field: ({ name, type }) => `“${name}” adalah ${TYPES[type]}, bukan angka`,
  needs_quoted_text: ({ name }) => `“${name}” adalah teks: bandingkan dengan teks dalam tanda kutip`,
  bounds_reversed: ({ low, high }) => `batas bawah ${low} melebihi batas atas ${high}`,
  needs_values: () => 'perlu daftar berisi satu nilai atau lebih',
  word_too_long: ({ max }) => `teks paling banyak ${max} karakter`,
  never_value: (params) =>
    `“${params.name}” tidak pernah “${params.value}”, hanya ${params.values.join(', ')}${didYouMean(params)}`,
};

/** The words and place of a mistake, from the `ctx` of the API. Undefined without a code, and for a code of a later version. */
export function indonesianOf(ctx: object): string | undefined {
  const { mistake = '', params, column } = ctx as { mistake?: string; params?: object; column?: number };
  const words = (INDONESIAN as Readonly<Record<string, (params: never) => string>>)[mistake];
  const said = params && words?.(params as never);
  return said === undefined || column === undefined ? said : `karakter ${column}: ${said}`;
}
