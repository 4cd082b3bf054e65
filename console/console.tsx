import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { AllUsagePage } from './pages/all-usage/all-usage-page.tsx';
import { DatasetsPage } from './pages/datasets/datasets-page.tsx';
import { FleetPage } from './pages/fleet/fleet-page.tsx';
import { FlowsPage } from './pages/flows/flows-page.tsx';
import { KeysPage } from './pages/keys/keys-page.tsx';
import { MarketPage } from './pages/market/market-page.tsx';
import { PicksPage } from './pages/picks/picks-page.tsx';
import { RecordPage } from './pages/record/record-page.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { SchedulesPage } from './pages/schedules/schedules-page.tsx';
import { ScreensPage } from './pages/screens/screens-page.tsx';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { SimulationsPage } from './pages/simulations/simulations-page.tsx';
import { StocksPage } from './pages/stocks/stocks-page.tsx';
import { UsagePage } from './pages/usage/usage-page.tsx';
import { WebhooksPage } from './pages/webhooks/webhooks-page.tsx';
import { Shortcuts } from './parts/shortcuts.tsx';
import { StockSearch } from './parts/stock-search.tsx';
import { FreshnessNotice } from './parts/freshness-notice.tsx';
import { useRefreshing, useRetrying } from './parts/loading.tsx';
import { linkTo, place } from './routing.ts';
import { chooseTheme, theme } from './style/theme.ts';
import { chooseLanguage, language } from './words/language.ts';
import { isLive, useEvents } from './session/live-events.ts';
import { client, linkIsSpent, ownSession, rateLimit, signedIn, signOut } from './session/session.ts';
import { shell } from './words/shell.ts';

/** A new day arrives once a day, and in a demonstration every few seconds. */
const NOTICES_REFRESH_MS = 15_000;
/** While events tell of new and late days: no event tells of the return to an earlier dataset. */
const NOTICES_REFRESH_LIVE_MS = 60_000;

type Page = ComponentType<{ argument: string }>;

/** Every page, in the order of the menu. The first is shown if the address names none. */
const APPLICATION_PAGES = {
  picks: PicksPage,
  run: RunPage,
  market: MarketPage,
  stocks: StocksPage,
  screens: ScreensPage,
  simulations: SimulationsPage,
  flows: FlowsPage,
  record: RecordPage,
  usage: UsagePage,
  webhooks: WebhooksPage,
} satisfies Record<string, Page>;
/** The pages of a person who signed in with the operator's token. */
const OPERATOR_PAGES = {
  fleet: FleetPage,
  datasets: DatasetsPage,
  keys: KeysPage,
  schedules: SchedulesPage,
  'all-usage': AllUsagePage,
} satisfies Record<string, Page>;
type PageName = keyof typeof APPLICATION_PAGES | keyof typeof OPERATOR_PAGES;

/** The pages of the person who is signed in. */
function ownPages(): [PageName, Page][] {
  return Object.entries(signedIn.value === 'operator' ? OPERATOR_PAGES : APPLICATION_PAGES) as [
    PageName,
    Page,
  ][];
}

/** The whole console: the sign-in page, or the page that the address names, with header and footer. */
export function Console() {
  return (
    <>
      <Header />
      {/* Another tab may sign in with another key: nothing that was loaded for one is shown to the other. */}
      {signedIn.value ? <CurrentPage key={ownSession.value ?? signedIn.value} /> : <SignInPage />}
      <Footer />
      {signedIn.value && <Shortcuts />}
    </>
  );
}

function CurrentPage() {
  const { page, argument } = place.value;
  const pages = ownPages();
  const [name, Page] = (page === '' ? pages[0] : pages.find(([known]) => known === page)) ?? [];
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Moves a screen reader to the new page. On arrival it starts at the top instead.
  useLayoutEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    document.title = name ? `${shell.value[name]} · Saring` : 'Saring';
  }, [name, language.value]);
  return (
    <main id="content" tabIndex={-1} ref={main}>
      {linkIsSpent.value && (
        <p class="notice" role="alert">
          {shell.value.linkSpent}
        </p>
      )}
      <MarketNotices />
      {Page ? <Page argument={argument} /> : <h1>{shell.value.unknownPage}</h1>}
    </main>
  );
}

/** Says on every page which market it shows, if it is not the real one, and that days are missing. */
function MarketNotices() {
  const key = useRetrying(
    async (signal) => (signedIn.value === 'application' ? client.value.key({ signal }) : undefined),
    [client.value],
  );
  if (key.isBusy && !key.value) return null;
  // A test key sees another market than the one whose state health tells.
  return key.value?.test ? <MadeUp about={shell.value.testMarket} /> : <ServedMarketNotices />;
}

function ServedMarketNotices() {
  const { value, reload } = useRefreshing(
    (signal) => client.value.health({ signal }),
    [client.value],
    isLive.value ? NOTICES_REFRESH_LIVE_MS : NOTICES_REFRESH_MS,
  );
  useEvents(['dataset.published', 'feed.late'], reload);
  if (!value) return null;
  return (
    <>
      <MadeUpNotice health={value} />
      <FreshnessNotice of={value.freshness} />
    </>
  );
}

function MadeUpNotice({ health: { synthetic, synthetic_brokers } }: { health: Schemas['Health'] }) {
  if (!synthetic && !synthetic_brokers) return null;
  return <MadeUp about={synthetic ? shell.value.synthetic : shell.value.syntheticBrokers} />;
}

function MadeUp({ about }: { about: string }) {
  return (
    <p class="made-up">
      <strong class="synthetic">SYNTHETIC</strong> {about}
    </p>
  );
}

function Header() {
  const words = shell.value;
  const [other, otherTheme] = [
    language.value === 'en' ? ('id' as const) : ('en' as const),
    theme.value === 'light' ? ('dark' as const) : ('light' as const),
  ];
  return (
    <header>
      <a class="skip" href="#content" onClick={skipToContent}>
        {words.skip}
      </a>
      <span class="brand">
        <img src="/console/assets/icon.svg" alt="" width="24" height="24" /> Saring
      </span>
      {signedIn.value && <Menu />}
      {signedIn.value === 'application' && <StockSearch />}
      <div class="choices">
        <button type="button" lang={other} onClick={() => chooseLanguage(other)}>
          {words.otherLanguage}
        </button>
        <button type="button" onClick={() => chooseTheme(otherTheme)}>
          {otherTheme === 'dark' ? words.toDark : words.toLight}
        </button>
        {signedIn.value && (
          <button type="button" onClick={() => void signOut()}>
            {words.signOut}
          </button>
        )}
      </div>
    </header>
  );
}

function Menu() {
  const words = shell.value;
  const names = ownPages().map(([name]) => name);
  const current = place.value.page || names[0];
  const menu = useRef<HTMLElement>(null);
  // On a phone the menu is wider than the screen, so it scrolls to the current page.
  useLayoutEffect(() => {
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav aria-label={words.pages} ref={menu}>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
              {words[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Footer() {
  const words = shell.value;
  const left = rateLimit.value;
  return (
    <footer>
      <p>{words.noAdvice}</p>
      <p>
        {signedIn.value && left && <>{words.requestsLeft(left.remaining, left.limit)} · </>}
        <a href="/api/docs">{words.api}</a> ·{' '}
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
