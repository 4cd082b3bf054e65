import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { Language } from '#foundation/text/languages.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';

const json = jsonOf(messageNamed('saring.market_data.v1.Freshness'));

/** The freshness of the market with its reason in this language. */
export function renderFreshness(freshness: Freshness, language: Language): object {
  const { reason, reason_english } = freshness;
  return json({ ...freshness, reason: language === 'en' ? reason_english : reason }) as object;
}
