import { PNG } from 'pngjs';

/**
 * A picture with one pixel for each square of so many, of their average colour. It shows where things stand and how large and dark
 * they are, and hardly how this machine smooths its letters.
 */
export function smallPicture(png: Buffer, square: number): PNG {
  const from = PNG.sync.read(png);
  const [width, height] = [from.width, from.height].map((size) => Math.floor(size / square)) as [
    number,
    number,
  ];
  const to = new PNG({ width, height });
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let dy = 0; dy < square; dy++)
          for (let dx = 0; dx < square; dx++)
            sum += from.data[4 * ((y * square + dy) * from.width + x * square + dx) + channel]!;
        to.data[4 * (y * width + x) + channel] = Math.round(sum / square ** 2);
      }
  return to;
}
