import { inLanguages } from '#console/words/in-languages.ts';

export const words = inLanguages({
  en: {
    title: 'Sign in to Saring',
    what: 'Saring screens the Indonesian equity market: picks of six models with their reasons, market data, and an honest record.',
    key: 'API key',
    keyHint: 'It stays in the memory of this page. A reload forgets it.',
    endUser: 'End user',
    endUserHint: 'Runs are recorded under this name: letters, digits, dot, underscore and hyphen.',
    signIn: 'Sign in',
    signingIn: 'Signing in …',
    refused: 'This key is unknown, or has been revoked.',
    disabled: 'This key is disabled.',
    needed: 'Enter an API key.',
    badEndUser: 'At most 64 letters, digits, dots, underscores and hyphens.',
    linkSpent: 'This sign-in link has been used or has expired. Sign in with an API key.',
    ended: {
      invalid_api_key: 'Your key was revoked while you were signed in. Sign in with another one.',
      key_disabled: 'Your key was disabled while you were signed in. Sign in with another one.',
    },
  },
  id: {
    title: 'Masuk ke Saring',
    what: 'Saring menyaring pasar saham Indonesia: pilihan enam model beserta alasannya, data pasar, dan rekam jejak yang jujur.',
    key: 'Kunci API',
    keyHint: 'Kunci hanya ada di memori halaman ini. Muat ulang menghapusnya.',
    endUser: 'Pengguna',
    endUserHint: 'Perhitungan dicatat atas nama ini: huruf, angka, titik, garis bawah, dan tanda hubung.',
    signIn: 'Masuk',
    signingIn: 'Sedang masuk …',
    refused: 'Kunci ini tidak dikenal atau sudah dicabut.',
    disabled: 'Kunci ini dinonaktifkan.',
    needed: 'Isi kunci API.',
    badEndUser: 'Paling banyak 64 huruf, angka, titik, garis bawah, dan tanda hubung.',
    linkSpent: 'Tautan masuk ini sudah dipakai atau kedaluwarsa. Masuklah dengan kunci API.',
    ended: {
      invalid_api_key: 'Kunci Anda dicabut saat Anda sedang masuk. Masuklah dengan kunci lain.',
      key_disabled: 'Kunci Anda dinonaktifkan saat Anda sedang masuk. Masuklah dengan kunci lain.',
    },
  },
});
