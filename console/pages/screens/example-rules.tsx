import { EXAMPLES } from './examples.ts';
import { words } from './words.ts';

/** What to write, for whoever sees an empty box. */
export function ExampleRules({ choose }: { choose: (rules: string) => void }) {
  const say = words.value;
  return (
    <div class="examples">
      <p class="minor">{say.beginWith}</p>
      <p class="actions">
        {Object.entries(EXAMPLES).map(([name, rules]) => (
          <button key={name} type="button" class="choose" onClick={() => choose(rules)}>
            {say.examples[name as keyof typeof EXAMPLES]}
          </button>
        ))}
      </p>
    </div>
  );
}
