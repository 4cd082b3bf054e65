/** Auto rejection as ../shared/domain.md dates it; limits are rounded inwards to the tick. */
interface Limits {
  lower: number;
  upper: number;
}

const REGULAR_LOWER = [
  ['2019-01-01', undefined],
  ['2020-03-10', 10],
  ['2020-03-13', 7],
  ['2023-06-05', 15],
  ['2023-09-04', undefined],
] as const;

/** The step of prices. */
export function tick(price: number): number {
  if (price < 200) return 1;
  if (price < 500) return 2;
  if (price < 2_000) return 5;
  return price < 5_000 ? 10 : 25;
}

const down = (price: number) => Math.floor(price / tick(price)) * tick(price);
const up = (price: number) => Math.ceil(price / tick(price)) * tick(price);

/** @param isFirstDay the first day of a listing had twice the limits until 2020-03-12 */
export function regularLimits(previous: number, date: string, isFirstDay: boolean): Limits {
  const times = isFirstDay && date < '2020-03-13' ? 2 : 1;
  const symmetric = previous <= 200 ? 35 : previous <= 5_000 ? 25 : 20;
  const below = REGULAR_LOWER.findLast(([from]) => from <= date)![1] ?? symmetric;
  return {
    lower: Math.max(50, up((previous * (100 - times * below)) / 100)),
    upper: down((previous * (100 + times * symmetric)) / 100),
  };
}

/** Of the watch list and the acceleration board. */
export function specialLimits(previous: number, date: string): Limits {
  if (previous <= 10) return { lower: Math.max(1, previous - 1), upper: previous + 1 };
  const below = date >= '2021-07-19' && date < '2023-06-12' ? 7 : 10;
  const floor = date >= '2023-06-12' && date < '2024-03-25' && previous >= 50 ? 50 : 1;
  return {
    lower: Math.max(floor, up((previous * (100 - below)) / 100)),
    upper: down((previous * 110) / 100),
  };
}
