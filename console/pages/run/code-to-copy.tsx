import { useState } from 'preact/hooks';
import { callIn, LANGUAGES, type CallToCopy, type CodeLanguage } from './call-in-code.ts';
import { words } from './words.ts';

/** The call that the form makes, in the chosen language. */
export function CodeToCopy({ call }: { call: CallToCopy }) {
  const say = words.value;
  const [language, choose] = useState<CodeLanguage>('curl');
  const [isCopied, setCopied] = useState(false);
  const code = callIn(language, call);
  return (
    <details class="card">
      <summary>{say.copy}</summary>
      <p class="actions">
        {LANGUAGES.map((name) => (
          <button
            key={name}
            type="button"
            class="choose"
            aria-pressed={name === language}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
        <button
          type="button"
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(true))}
        >
          {say.copyButton}
        </button>
        <span role="status">{isCopied && say.copied}</span>
      </p>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <p class="hint">{say.keyNote}</p>
    </details>
  );
}
