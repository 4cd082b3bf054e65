import type { Outside } from '#quant/universe/candidates.ts';
import { Localised } from '#foundation/text/localised.ts';

/** Why a stock is outside the universe of a run, as the end of a sentence. */
export const BECAUSE: Record<Outside, Localised> = {
  untraded: new Localised('tidak diperdagangkan pada hari itu', 'it did not trade on that day'),
  short_history: new Localised(
    'baru diperdagangkan kurang dari 120 hari',
    'it has traded on fewer than 120 days',
  ),
  rarely_traded: new Localised(
    'jarang diperdagangkan, yaitu kurang dari 18 dari 20 hari bursa terakhir',
    'it traded on fewer than 18 of the last 20 days',
  ),
  special_board: new Localised(
    'diperdagangkan seperti saham papan khusus',
    'it trades like a stock of a special board',
  ),
  too_small: new Localised(
    'nilai transaksinya di bawah Rp100 juta per hari',
    'less than Rp100 million of it is traded a day',
  ),
};
