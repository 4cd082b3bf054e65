import { cutText } from '#foundation/text/cut-text.ts';

/** A web page that came where data was expected. */
export interface WebPage {
  /** Empty if it has none. */
  title: string;
  /** Whether it keeps programs out: a challenge, a captcha or a blocked address. */
  isBotWall: boolean;
}

/** Pages of walls are short, and their marks stand at the beginning. */
const JUDGED_CHARACTERS = 64 * 1024;
const MAX_TITLE_LENGTH = 80;

const MARKS = [
  /just a moment/i,
  /captcha/i,
  /cf-(browser-verification|challenge|chl|error)/i,
  /challenge-platform/i,
  /_incapsula_resource/i,
  /attention required/i,
  /verify(ing)? (that )?you are (a )?human/i,
  /checking (your|if the site) /i,
  /enable javascript and cookies/i,
  /access denied/i,
  /request unsuccessful/i,
  /unusual traffic/i,
];

/** Recognises a web page by its beginning; undefined for anything else. */
export function webPage(bytes: Buffer, headers: Headers): WebPage | undefined {
  const text = bytes
    .subarray(0, JUDGED_CHARACTERS)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const isHtml = /^<(!doctype html|html|head|body|script|!--)/i.test(text);
  const saysHtml = /text\/html/i.test(headers.get('content-type') ?? '') && text.startsWith('<');
  if (!isHtml && !saysHtml) return undefined;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  const isBotWall = headers.has('cf-mitigated') || MARKS.some((mark) => mark.test(text));
  return { title: cutText(title, MAX_TITLE_LENGTH), isBotWall };
}
