import { render } from 'preact';
import { Console } from './console.tsx';
import { place, replaceAddress } from './routing.ts';
import { signInOnce } from './session/session.ts';

const root = document.getElementById('console')!;
const { page, argument } = place.value;

// Remove the token from the address before any other request.
if (page === 'sign-in') {
  replaceAddress('#/');
  const isIn = await signInOnce(argument).catch(() => false);
  render(<Console linkIsSpent={!isIn} />, root);
} else {
  render(<Console linkIsSpent={false} />, root);
}
