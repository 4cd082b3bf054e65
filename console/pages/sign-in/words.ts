import { inLanguages } from '#console/words/in-languages.ts';

export const say = inLanguages({
  title: ['Sign in to Saring', 'Masuk ke Saring'],
  what: [
    'Saring screens the Indonesian equity market: picks of six models with their reasons, market data, and an honest record.',
    'Saring menyaring pasar saham Indonesia: pilihan enam model beserta alasannya, data pasar, dan rekam jejak yang jujur.',
  ],
  key: ['API key', 'Kunci API'],
  keyHint: ['It is exchanged for a session, and not kept.', 'Kunci ditukar dengan sesi, dan tidak disimpan.'],
  tokenHint: [
    'It stays in the memory of this page. A reload forgets it.',
    'Token hanya ada di memori halaman ini. Muat ulang menghapusnya.',
  ],
  keep: ['Stay signed in', 'Tetap masuk'],
  keepHint: [
    'Also when the browser is closed, until it is not used for 12 hours.',
    'Juga saat peramban ditutup, sampai tidak dipakai selama 12 jam.',
  ],
  as: ['Sign in', 'Masuk'],
  asApplication: ['With an API key', 'Dengan kunci API'],
  asOperator: ['As the operator', 'Sebagai operator'],
  token: ['Operator’s token', 'Token operator'],
  tokenNeeded: ['Enter the operator’s token.', 'Isi token operator.'],
  tokenRefused: ['This is not the operator’s token.', 'Ini bukan token operator.'],
  noOperator: [
    'This server does not serve the operator’s pages (OPERATOR_API).',
    'Server ini tidak menyajikan halaman operator (OPERATOR_API).',
  ],
  endUserHint: [
    'Runs are recorded under this name: letters, digits, dot, underscore and hyphen.',
    'Perhitungan dicatat atas nama ini: huruf, angka, titik, garis bawah, dan tanda hubung.',
  ],
  signIn: ['Sign in', 'Masuk'],
  signingIn: ['Signing in …', 'Sedang masuk …'],
  refused: ['This key is unknown, or has been revoked.', 'Kunci ini tidak dikenal atau sudah dicabut.'],
  disabled: ['This key is disabled.', 'Kunci ini dinonaktifkan.'],
  needed: ['Enter an API key.', 'Isi kunci API.'],
  badEndUser: [
    'At most 64 letters, digits, dots, underscores and hyphens.',
    'Paling banyak 64 huruf, angka, titik, garis bawah, dan tanda hubung.',
  ],
  linkSpent: [
    'This sign-in link has been used or has expired. Sign in with an API key. That of make run is demo_key in .saring/fleet.json.',
    'Tautan masuk ini sudah dipakai atau kedaluwarsa. Masuklah dengan kunci API. Kunci dari make run adalah demo_key di .saring/fleet.json.',
  ],
  ended: {
    invalid_api_key: [
      'Your session has ended: this browser was signed out elsewhere, or the key was revoked or given a new secret.',
      'Sesi Anda sudah berakhir: peramban ini dikeluarkan dari tempat lain, atau kuncinya dicabut atau diganti.',
    ],
    key_disabled: [
      'Your key was disabled while you were signed in. Sign in with another one.',
      'Kunci Anda dinonaktifkan saat Anda sedang masuk. Masuklah dengan kunci lain.',
    ],
    operator_token_required: [
      'The operator’s token has changed. Sign in with the new one.',
      'Token operator sudah berganti. Masuklah dengan yang baru.',
    ],
  },
});
