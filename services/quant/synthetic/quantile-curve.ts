/** Points (rank, value), ranks ascending from 0 to 1. */
export type QuantileCurve = readonly (readonly [rank: number, value: number])[];

/** The value at a rank in 0..1, straight between the points: an inverse distribution function by table. */
export function valueAt(curve: QuantileCurve, rank: number): number {
  let next = 1;
  while (next < curve.length - 1 && curve[next]![0] < rank) next++;
  const [fromRank, from] = curve[next - 1]!;
  const [toRank, to] = curve[next]!;
  return from + ((to - from) * (rank - fromRank)) / (toRank - fromRank);
}

/** The same, straight on a logarithmic scale; every value must be positive. */
export function logValueAt(curve: QuantileCurve, rank: number): number {
  return Math.exp(
    valueAt(
      curve.map(([r, value]) => [r, Math.log(value)] as const),
      rank,
    ),
  );
}
