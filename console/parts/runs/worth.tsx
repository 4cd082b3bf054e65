import type { Job } from '#client/index.ts';
import { day, fixed, signed } from '#console/words/formats.ts';
import { inLanguages } from '#console/words/in-languages.ts';

type Evidence = NonNullable<Job['evidence']>;

const say = inLanguages({
  span: (from: string, to: string) => [
    `On the real market, ${from} to ${to},`,
    `Di pasar nyata, ${from} sampai ${to},`,
  ],
  excess: (points: string, isLess: boolean) => [
    `a pick of this model returned ${points}% ${isLess ? 'less' : 'more'} than the average stock after costs`,
    `hasil satu pilihan model ini setelah biaya ${points}% lebih ${isLess ? 'rendah' : 'tinggi'} daripada saham rata-rata`,
  ],
  lift: (times: string) => [
    `a pick of this model won ${times} times as often as the average stock`,
    `pilihan model ini berhasil ${times} kali sesering saham rata-rata`,
  ],
  skill: (points: string, isWorse: boolean) => [
    `a forecast of this model was ${points}% ${isWorse ? 'worse' : 'better'} than what is usual`,
    `perkiraan model ini ${points}% lebih ${isWorse ? 'buruk' : 'baik'} daripada kebiasaan`,
  ],
  interval: (low: string, high: string) => [`95%: ${low} to ${high}`, `95%: ${low} sampai ${high}`],
  verdicts: {
    better_than_chance: ['better than chance', 'lebih baik daripada kebetulan'],
    not_shown: ['not shown to be better than chance', 'belum terbukti lebih baik daripada kebetulan'],
    worse: ['worse than chance', 'lebih buruk daripada kebetulan'],
  },
  itself: (points: string) => [
    `For itself, a pick returned ${points}% after costs:`,
    `Hasil satu pilihan itu sendiri setelah biaya ${points}%:`,
  ],
  itselfVerdicts: {
    gain: ['a gain.', 'untung.'],
    not_shown: [
      'its interval holds 0, so that neither a gain nor a loss is shown.',
      'selangnya memuat 0, jadi belum terbukti untung ataupun rugi.',
    ],
    loss: ['a loss.', 'rugi.'],
  },
  anyDay: [
    'These positions were sold on any day, also where nobody bid.',
    'Posisi-posisi ini dijual pada hari apa pun, juga saat tidak ada penawaran beli.',
  ],
});

/** What a model's picks were worth on the real market: against the average stock, and for themselves. */
export function Worth({ of }: { of: Evidence }) {
  const { from, to, low, high, verdict, net_return_pct, net_return_verdict, exits } = of;
  return (
    <p>
      {say.span(day(from), day(to))} {figureOf(of)} ({say.interval(fixed(low, 2), fixed(high, 2))}):{' '}
      {say.verdicts[verdict]}.{' '}
      {net_return_pct !== null && (
        <>
          {say.itself(signed(net_return_pct, 2))} {say.itselfVerdicts[net_return_verdict ?? 'not_shown']}{' '}
        </>
      )}
      {exits === 'any_day' && say.anyDay}
    </p>
  );
}

function figureOf({ statistic, value }: Evidence): string {
  const size = fixed(Math.abs(value), 2);
  if (statistic === 'lift') return say.lift(size);
  return (statistic === 'excess_net_return_pct' ? say.excess : say.skill)(size, value < 0);
}
