/** What a caller reads of a run that was cancelled, in Bahasa Indonesia. */
export const CANCELLED_MESSAGE = 'Proses dibatalkan sebelum selesai atas permintaan pemanggil.';
