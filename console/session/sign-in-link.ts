import { place, replaceAddress } from '#console/routing.ts';
import { linkIsSpent, signInOnce } from './session.ts';

/**
 * Signs in if the current address is a sign-in link. The token leaves the address bar and the history before any request.
 * Whoever is signed in stays so if the link no longer works.
 */
export async function followSignInLink(): Promise<void> {
  const { page, argument } = place.peek();
  linkIsSpent.value = false;
  if (page !== 'sign-in') return;
  replaceAddress('#/');
  linkIsSpent.value = !(await signInOnce(argument).catch(() => false));
}
