import { str } from 'envalid';
import {
  trustedCallerSettings,
  grpcSettings,
  processSettings,
  postgresSettings,
} from '#shared/config/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...postgresSettings,
  CONSENT_DOCUMENTS: str({
    default: '',
    desc: 'folder of your own disclaimers, laid out as services/consent/documents is, which is read when empty',
  }),
};
