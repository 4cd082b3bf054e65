import { str } from 'envalid';
import {
  trustedCallerSettings,
  grpcSettings,
  logSettings,
  postgresSettings,
} from '#shared/config/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...postgresSettings,
  CONSENT_DOCUMENTS: str({
    default: '',
    desc: 'folder of your own disclaimers, laid out as services/consent/documents is, which is read when empty',
  }),
};
