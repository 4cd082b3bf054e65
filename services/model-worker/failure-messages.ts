/** What a caller reads of a run that failed for no fault of its parameters, in Bahasa Indonesia. */
export const FAILURE = {
  noDataset: 'Data pasar belum tersedia. Silakan coba lagi setelah data dimuat.',
  notLoaded: 'Data pasar belum dapat dimuat. Silakan coba lagi beberapa saat lagi.',
  unexpected: 'Model gagal dijalankan karena kesalahan di sistem kami. Silakan jalankan ulang.',
  tooLong: 'Model berjalan terlalu lama sehingga dihentikan. Silakan jalankan ulang.',
};
