/**
 * The k-th largest of the values, k from 1 to their number, by Hoare's selection. It reorders `values`, none of which
 * may be NaN, and takes linear time where sorting them would take most of the time of a stock-day.
 */
export function kthLargest(values: Float64Array, k: number): number {
  let [left, right] = [0, values.length - 1];
  const wanted = k - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1]!;
    let [i, j] = [left, right];
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else break;
  }
  return values[wanted]!;
}
