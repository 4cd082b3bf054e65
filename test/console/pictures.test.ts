import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import type { PageScreenshotOptions } from 'playwright-core';
import { PNG } from 'pngjs';
import { describe, expect } from 'vitest';
import { newTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { LOOKS, ownTabs, type ConsoleTab } from './browser/console-tab.ts';
import { smallPicture } from './browser/small-picture.ts';

/** Pictures of the generated market, which is the same in every fleet of these tests. */
const PICTURES = path.join(import.meta.dirname, 'pictures');
const RECORDS = process.env['RECORD_PICTURES'] === '1';
/** How far colours of a pixel may be apart, of 1 from black to white. */
const TOLERANCE = 0.12;
/** How much of a picture may differ. A line of text that moves by its height is more. */
const DIFFERS_AT_MOST = 0.01;

const PICTURED = [
  { ...LOOKS[0], square: 4 },
  { ...LOOKS[1], square: 3 },
];

const PAGES = [
  { name: 'sign-in', hash: '#/', shows: '#key' },
  { name: 'picks', hash: '#/', shows: '.candles canvas' },
  { name: 'run', hash: '#/run/confluence_filter', shows: '.parameters input' },
  { name: 'market', hash: '#/market', shows: 'figure svg' },
  { name: 'stock', hash: '#/market/{ticker}', shows: '.candles canvas' },
  { name: 'stocks', hash: '#/stocks?table.stocks=pinned%3Dboard', shows: 'tbody tr[aria-rowindex]' },
  { name: 'screens', hash: '#/screens', shows: '#rules' },
  { name: 'flows', hash: '#/flows', shows: 'figure svg' },
] as const;

const tabs = ownTabs();
const test = testOfOwnFleet('pictures');

/** Opens a page as a key sees it that nobody used before, on a day on which the data is complete. */
async function open(
  { name, hash }: (typeof PAGES)[number],
  look: (typeof PICTURED)[number],
): Promise<ConsoleTab> {
  const { key, client } = await newTenant();
  const [stock] = (await client.data.stocks({ limit: 1 }).first()).stocks;
  const tab = await tabs.open(look);
  await tab.changeAnswers('**/api/health', (health) => ({ ...health, freshness: null }));
  const place = hash.replace('{ticker}', stock!.ticker);
  await (name === 'sign-in' ? tab.goTo(place) : tab.signIn(key, place));
  return tab;
}

async function pictureOf(tab: ConsoleTab, square: number): Promise<PNG> {
  const { page } = tab;
  await page.waitForFunction(() => !document.querySelector('.waiting, [aria-busy=true]'));
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  // The footer says how many requests are left.
  const options: PageScreenshotOptions = {
    animations: 'disabled',
    caret: 'hide',
    mask: [page.locator('footer')],
    scale: 'css',
  };
  let before = await page.screenshot(options);
  // Charts are drawn a frame or two after their data has come.
  await expect
    .poll(async () => {
      const now = await page.screenshot(options);
      const isStill = now.equals(before);
      before = now;
      return isStill;
    })
    .toBe(true);
  return smallPicture(before, square);
}

/** Another browser has other fonts. */
const ofPackagedBrowser = describe.skipIf(process.env['CHROMIUM'] !== undefined);

ofPackagedBrowser.each(PICTURED)('$width pixels wide, $theme, in language $language', (look) => {
  test.each(PAGES)('the page $name looks as it did', async (page) => {
    const tab = await open(page, look);
    await tab.page.waitForSelector(page.shows);
    if (page.name !== 'sign-in') await tab.page.waitForSelector('.made-up');
    const { width, height, data } = (await pictureOf(tab, look.square)) satisfies PNG;
    const file = path.join(PICTURES, `${page.name}-${look.width}-${look.theme}-${look.language}.png`);
    if (RECORDS || !existsSync(file)) {
      expect(RECORDS, `${file} is missing: record it with RECORD_PICTURES=1`).toBe(true);
      await mkdir(PICTURES, { recursive: true });
      const picture = Object.assign(new PNG({ width, height }), { data });
      return writeFile(file, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }));
    }
    const stored = PNG.sync.read(await readFile(file));
    expect({ width, height }).toEqual({ width: stored.width, height: stored.height });
    const differing = new PNG({ width, height });
    const pixels = pixelmatch(stored.data, data, differing.data, width, height, { threshold: TOLERANCE });
    const share = pixels / (width * height);
    const shown = path.join(tmpdir(), `differs-${path.basename(file)}`);
    if (share > DIFFERS_AT_MOST) await writeFile(shown, PNG.sync.write(differing));
    expect(share, `${shown} shows where`).toBeLessThanOrEqual(DIFFERS_AT_MOST);
  });
});
