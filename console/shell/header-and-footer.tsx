import { useLayoutEffect, useRef } from 'preact/hooks';
import { linkTo, place } from '#console/browser/routing.ts';
import { chooseTheme, theme } from '#console/browser/theme.ts';
import { rateLimit, signedIn, signOut } from '#console/session/session.ts';
import { chooseLanguage, language } from '#console/words/language.ts';
import { StockSearch } from './stock-search.tsx';
import { say, type PageName } from './words.ts';

interface HeaderProps {
  /** The pages of the person who is signed in, in the order of the menu. */
  pages: readonly PageName[];
}

export function Header({ pages }: HeaderProps) {
  const [other, otherTheme] = [
    language.value === 'en' ? ('id' as const) : ('en' as const),
    theme.value === 'light' ? ('dark' as const) : ('light' as const),
  ];
  return (
    <header>
      <a class="skip" href="#content" onClick={skipToContent}>
        {say.skip}
      </a>
      <span class="brand">
        <img src="/console/assets/icon.svg" alt="" width="24" height="24" /> Saring
      </span>
      {signedIn.value && <Menu pages={pages} />}
      {signedIn.value === 'application' && <StockSearch />}
      <div class="choices">
        <button type="button" lang={other} onClick={() => chooseLanguage(other)}>
          {say.otherLanguage}
        </button>
        <button type="button" onClick={() => chooseTheme(otherTheme)}>
          {otherTheme === 'dark' ? say.toDark : say.toLight}
        </button>
        {signedIn.value && (
          <button type="button" onClick={() => void signOut()}>
            {say.signOut}
          </button>
        )}
      </div>
    </header>
  );
}

function Menu({ pages }: HeaderProps) {
  const current = place.value.page || pages[0];
  const menu = useRef<HTMLElement>(null);
  // On a phone the menu is wider than the screen, so it scrolls to the current page.
  useLayoutEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav aria-label={say.pages} ref={menu}>
      <ul>
        {pages.map((name) => (
          <li key={name}>
            <a href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
              {say.names[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function Footer() {
  const left = rateLimit.value;
  return (
    <footer>
      <p>{say.noAdvice}</p>
      <p>
        {signedIn.value && left && <>{say.requestsLeft(left.remaining, left.limit)} · </>}
        <a href="/api/docs">{say.api}</a> ·{' '}
        <a href="https://www.tradingview.com/" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>
      </p>
    </footer>
  );
}

/** The hash of the address names a page, so the link cannot use it and moves the focus with code. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
