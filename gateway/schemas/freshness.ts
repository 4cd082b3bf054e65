import { messageNamed } from '#shared/wire/descriptors.ts';
import { responseSchema } from '#shared/wire/message-schema.ts';

/** Whether the served market lacks trading days, since when and why. */
export const Freshness = responseSchema(messageNamed('saring.market_data.v1.Freshness'));
