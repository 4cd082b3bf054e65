/** A tree over binned features. Node 0 is its root; the right child of a branch follows the left one. */
export class GrownTree {
  /** -1 for a leaf. */
  readonly feature: number[] = [];
  readonly bin: number[] = [];
  readonly left: number[] = [];
  /** What a leaf adds to the score; 0 for a branch. */
  readonly value: number[] = [];
  /** What a branch took off the objective; 0 for a leaf. */
  readonly gain: number[] = [];

  constructor() {
    this.#addNode();
  }

  get nodeCount(): number {
    return this.feature.length;
  }

  /** Turns a leaf into a branch over two new leaves; returns the left one's number. */
  split(node: number, feature: number, bin: number, gain: number): number {
    const left = this.nodeCount;
    this.#addNode();
    this.#addNode();
    this.feature[node] = feature;
    this.bin[node] = bin;
    this.left[node] = left;
    this.gain[node] = gain;
    this.value[node] = 0;
    return left;
  }

  #addNode(): void {
    this.feature.push(-1);
    this.bin.push(0);
    this.left.push(-1);
    this.value.push(0);
    this.gain.push(0);
  }
}
