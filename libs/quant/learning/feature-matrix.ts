import type { RowRange } from '../panel/ranges.ts';

/** A feature has a value that no model can learn from or score. */
export class UnusableFeature extends RangeError {
  readonly feature: string;
  readonly row: number;

  constructor(feature: string, row: number, value: number) {
    super(`feature ${feature} is ${value} in row ${row}; features must be finite`);
    this.feature = feature;
    this.row = row;
    this.name = 'UnusableFeature';
  }
}

/**
 * Rows by features, 32-bit floats, one feature after the other.
 *
 * Every value must be finite. NaN is rejected instead of being sent to one side of a split: which side a comparison sends it
 * to depends on its sign bit and on the implementation, so a trainer and a runtime could score it differently.
 */
export class FeatureMatrix {
  readonly names: readonly string[];
  readonly rowCount: number;
  /** Feature f of row r is at `values[f * rowCount + r]`. */
  readonly values: Float32Array<ArrayBuffer>;

  /** All values are 0 until the columns are filled. */
  constructor(names: readonly string[], rowCount: number) {
    this.names = names;
    this.rowCount = rowCount;
    this.values = new Float32Array(names.length * rowCount);
  }

  /** A view, not a copy. */
  column(feature: number): Float32Array<ArrayBuffer> {
    return this.values.subarray(feature * this.rowCount, (feature + 1) * this.rowCount);
  }

  /** Copies rows one after the other, as an ONNX graph expects them. */
  rowMajor({ from, to }: RowRange = this.allRows): Float32Array {
    const out = new Float32Array((to - from) * this.names.length);
    for (let feature = 0; feature < this.names.length; feature++) {
      const column = this.column(feature);
      for (let row = from, at = feature; row < to; row++, at += this.names.length) out[at] = column[row]!;
    }
    return out;
  }

  get allRows(): RowRange {
    return { from: 0, to: this.rowCount };
  }

  /** @throws UnusableFeature for the first value, by feature and then by row, that is not finite. */
  requireFinite({ from, to }: RowRange = this.allRows): void {
    for (const [feature, name] of this.names.entries()) {
      const column = this.column(feature);
      for (let row = from; row < to; row++) {
        if (!Number.isFinite(column[row])) throw new UnusableFeature(name, row, column[row]!);
      }
    }
  }
}
