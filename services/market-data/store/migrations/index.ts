import { market } from './001-market.ts';
import { brokerFlow } from './002-broker-flow.ts';
import { refusedClose } from './003-refused-close.ts';
import { prunedVersion } from './004-pruned-version.ts';
import { brokerSeed } from './005-broker-seed.ts';
import { originFingerprint } from './006-origin-fingerprint.ts';
import { served } from './008-served.ts';
import { synced } from './009-synced.ts';
import { rejection } from './010-rejection.ts';

export const migrations = [
  market,
  brokerFlow,
  refusedClose,
  prunedVersion,
  brokerSeed,
  originFingerprint,
  served,
  synced,
  rejection,
];
