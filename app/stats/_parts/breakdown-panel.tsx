import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import type { StatsAccess } from '@/app/_ui/data/stats'
import type { Stats } from '@/lib/stats/schemas'
import type { Facet } from '@/lib/stats/values'
import { othersOf } from './labels'
import type { ViewControl } from './use-view'
import { ValueRows } from './value-rows'
import { ValuesDialog } from './values-dialog'

const SHOWN = 8

/** What stands behind the question mark of a panel, by its first facet. */
const DEFINITIONS = {
  source: 'source',
  destination: 'destination',
  country: 'country',
  browser: 'browser',
  language: 'language',
  utm_source: 'campaign',
} as const satisfies Partial<Record<Facet, string>>

const definitionOf = (facet: Facet | undefined) =>
  facet !== undefined && facet in DEFINITIONS ? DEFINITIONS[facet as keyof typeof DEFINITIONS] : null

interface Props {
  access: StatsAccess
  stats: Stats
  control: ViewControl
  title: string
  facets: Facet[]
}

/** Where clicks come from by one measure, or by several in tabs. A row chosen filters the page. */
export function BreakdownPanel({ title, facets, ...props }: Props) {
  const t = useTranslations('stats')
  const [first] = facets
  const unit = <span className="text-[13px] text-muted">{t(`kind.${props.control.view.kind}.clicks`)}</span>
  const definition = definitionOf(first)
  const hint = definition && t(`definition.${definition}`)
  const opened = (facets.includes('source') && props.control.view.filters.source ? 'referrer' : first) ?? ''
  if (facets.length === 1 && first) {
    return (
      <Card title={title} hint={hint} action={unit}>
        <Values facet={first} {...props} />
      </Card>
    )
  }
  return (
    // Of a source that is filtered by, what one wants to see are its hosts.
    <Tabs.Root key={opened} defaultValue={opened} asChild>
      <div className="flex min-w-0 flex-col">
        <Card title={title} hint={hint} className="flex-1" action={unit}>
          <TabList title={title} facets={facets} />
          {facets.map((facet) => (
            <Tabs.Content key={facet} value={facet} tabIndex={-1}>
              <Values facet={facet} {...props} />
            </Tabs.Content>
          ))}
        </Card>
      </div>
    </Tabs.Root>
  )
}

function TabList({ title, facets }: { title: string; facets: Facet[] }) {
  const t = useTranslations('stats')
  return (
    <Tabs.List aria-label={title} className="-mt-2 mb-3 flex flex-wrap gap-x-1 border-b border-line">
      {facets.map((facet) => (
        <Tabs.Trigger
          key={facet}
          value={facet}
          className="-mb-px h-11 rounded-t-[7px] border-b-2 border-transparent px-2 text-sm font-medium text-muted hover:text-fg data-[state=active]:border-accent data-[state=active]:text-fg sm:h-9"
        >
          {isCampaign(facet) ? t(`campaignTab.${facet}`) : t(`facet.${facet}`)}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  )
}

function Values({ facet, access, stats, control }: Omit<Props, 'title' | 'facets'> & { facet: Facet }) {
  const t = useTranslations('stats')
  const [open, setOpen] = useState(false)
  const values = stats.breakdown[facet]
  const nothing = values.every(({ value }) => value === '')
  if (values.length === 0 || (nothing && isCampaign(facet))) {
    return (
      <p className="py-8 text-center text-sm text-muted">
        {isCampaign(facet) ? t('panel.emptyCampaign', { parameter: facet }) : t('panel.empty')}
      </p>
    )
  }
  return (
    <>
      <ValueRows
        facet={facet}
        values={values.slice(0, SHOWN)}
        others={othersOf(stats, facet)}
        total={stats.totals.clicks}
        control={control}
      />
      {values.length > SHOWN && (
        <Button size="small" look="quiet" className="mt-2 -ml-3" onClick={() => setOpen(true)}>
          <span>
            {t.rich('panel.more', {
              facet: t(`facet.${facet}`),
              hidden: (words) => <span className="sr-only">{words}</span>,
            })}
          </span>
        </Button>
      )}
      {open && <ValuesDialog facet={facet} access={access} stats={stats} control={control} onClose={() => setOpen(false)} />}
    </>
  )
}

type Campaign = Extract<Facet, `utm_${string}`>

const isCampaign = (facet: Facet): facet is Campaign => facet.startsWith('utm_')
