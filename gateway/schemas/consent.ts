import Type from 'typebox';
import { END_USER_PATTERN } from '../auth/end-user.ts';
import { closed, DateTime, nullable, OpaqueId } from './common.ts';
import { named } from './named.ts';

const DEFAULT_DOCUMENT = 'fair_disclaimer';
const VERSION = '3f1c9a526d0e4b7f9a440c2b7d5e8f10';

export const DocumentId = (description: string) => OpaqueId(description, DEFAULT_DOCUMENT);

export const DocumentIdOrDefault = Type.String({
  pattern: '^[!-~]{1,64}$',
  default: DEFAULT_DOCUMENT,
  description: 'Document id.',
});

const identity = {
  end_user: Type.String({ pattern: END_USER_PATTERN, description: 'The asserted end-user id.' }),
  document_id: Type.String({ description: 'Document id.', examples: [DEFAULT_DOCUMENT] }),
};

export const ConsentCheck = named(
  'ConsentCheck',
  Type.Object(
    {
      ...identity,
      required_version: Type.String({
        description:
          'Version of the text as it reads now: show that text, and send this with the acceptance.',
        examples: [VERSION],
      }),
      accepted: Type.Boolean({ description: 'Whether exactly that version was accepted. Branch on this.' }),
      accepted_version: nullable(
        Type.String({ examples: [VERSION] }),
        'Version accepted last, be it the required one or an older one; null when none ever was.',
      ),
      accepted_at: nullable(
        DateTime('When that was.'),
        'When that was, in Asia/Jakarta; null when none ever was.',
      ),
    },
    { description: 'How an end user stands with a document.' },
  ),
);

export const ConsentRequest = named(
  'ConsentRequest',
  closed({
    document_id: DocumentIdOrDefault,
    document_version: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Version of the text that was shown.',
      examples: [VERSION],
    }),
    accepted: Type.Boolean({
      default: true,
      description: 'Must be true: what was not accepted is not recorded.',
    }),
    locale: Type.Optional(
      nullable(
        Type.String({ pattern: '^[ -~]{0,35}$', examples: ['id'] }),
        'Language in which the text was shown; at most 35 printable ASCII characters.',
      ),
    ),
    client_version: Type.Optional(
      nullable(
        Type.String({ pattern: '^[ -~]{0,64}$', examples: ['2.4.1'] }),
        'Version of the application that showed it; at most 64 printable ASCII characters.',
      ),
    ),
  }),
);

export const ConsentRecord = named(
  'ConsentRecord',
  Type.Object(
    {
      consent_id: Type.String({
        description: '`cs_` followed by a hex string.',
        examples: ['cs_5f0c6f1e9a3b4d2c8e7f6a5b'],
      }),
      ts: Type.Number({ description: 'When it was recorded, unix seconds.', examples: [1_731_897_300.125] }),
      ...identity,
      document_version: Type.String({ description: 'Version that was accepted.', examples: [VERSION] }),
      accepted: Type.Literal(true),
    },
    { description: 'An acceptance. It is never changed or removed.' },
  ),
);

export const ConsentDocument = named(
  'ConsentDocument',
  Type.Object(
    {
      document_id: identity.document_id,
      version: Type.String({
        description: 'The same in every language, and another as soon as the text changes in any of them.',
        examples: [VERSION],
      }),
      locale: Type.String({ description: 'Language of this text.', examples: ['id'] }),
      locales: Type.Array(Type.String({ examples: ['id'] }), {
        description: 'Every language there is; the first is answered when none is asked for.',
      }),
      title: Type.String({ description: 'For display.' }),
      text: Type.String({ description: 'For display, in Markdown, without the title.' }),
    },
    { description: 'A document in one language.' },
  ),
);
