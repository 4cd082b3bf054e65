import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { place } from './browser/routing.ts';
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
import { linkIsSpent, ownSession, signedIn } from './session/session.ts';
import { Footer, Header } from './shell/header-and-footer.tsx';
import { MarketNotices } from './shell/market-notices.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { say, type PageName } from './shell/words.ts';
import { language } from './words/language.ts';

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
} satisfies Partial<Record<PageName, Page>>;
/** The pages of a person who signed in with the operator's token. */
const OPERATOR_PAGES = {
  fleet: FleetPage,
  datasets: DatasetsPage,
  keys: KeysPage,
  schedules: SchedulesPage,
  'all-usage': AllUsagePage,
} satisfies Partial<Record<PageName, Page>>;

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
      <Header pages={ownPages().map(([name]) => name)} />
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
    document.title = name ? `${say.names[name]} · Saring` : 'Saring';
  }, [name, language.value]);
  return (
    <main id="content" tabIndex={-1} ref={main}>
      {linkIsSpent.value && (
        <p class="notice" role="alert">
          {say.linkSpent}
        </p>
      )}
      <MarketNotices />
      {Page ? <Page argument={argument} /> : <h1>{say.unknownPage}</h1>}
    </main>
  );
}
