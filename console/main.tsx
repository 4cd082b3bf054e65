import { render } from 'preact';
import { Console } from './console.tsx';
import { followSignInLink, resumeSession } from './session/session.ts';

await followSignInLink();
await resumeSession();
// A link can also be pasted into a console that is open.
addEventListener('hashchange', () => void followSignInLink());
render(<Console />, document.getElementById('console')!);
