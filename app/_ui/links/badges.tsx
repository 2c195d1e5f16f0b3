import { useTranslations } from '#i18n'
import { Badge, type Tone } from '@/app/_ui/base/badge'
import { useFormat } from '@/app/_ui/data/format'
import type { RecentLink } from '@/app/_ui/data/recents'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import type { HealthState } from '@/lib/links/health'

type Shown = Pick<RecentLink, 'state' | 'kind' | 'expiresAt' | 'startsAt' | 'hasPassword'> & {
  lost?: RecentLink['lost']
  manageToken?: string | null | undefined
  listed?: boolean
  archived?: boolean | undefined
  shared?: boolean
  health?: { state: HealthState } | null | undefined
}

/** What is out of the ordinary about a link, in a word each; a plain active link has none. */
export function Badges({ link }: { link: Shown }) {
  const t = useTranslations('links')
  const format = useFormat()
  const inBrowser = useInBrowser()
  const badges = badgesOf(link, Date.now())
  // A number to be read aloud lives for minutes or hours: until when is what matters about it.
  const until = link.kind === 'spoken' && !badges.some(({ name }) => name === 'expired') ? link.expiresAt : null
  return (
    <>
      {badges.map(({ name, tone }) => (
        <Badge key={name} tone={tone}>
          {t(`badge.${name}`)}
        </Badge>
      ))}
      {inBrowser && until !== null && (
        <Badge>{t('until', { time: format.dates({ timeStyle: 'short' }).format(new Date(until)) })}</Badge>
      )}
    </>
  )
}

type Name =
  | 'scheduled'
  | 'expired'
  | 'disabled'
  | 'paused'
  | HealthState
  | 'banned'
  | 'deleted'
  | 'spoken'
  | 'password'
  | 'shared'
  | 'listed'
  | 'archived'
  | 'signedOut'
  | 'refused'

function badgesOf(link: Shown, now: number): { name: Name; tone: Tone }[] {
  const badges: { name: Name; tone: Tone }[] = []
  if (link.lost === 'gone') return [{ name: 'deleted', tone: 'danger' }]
  if (link.lost === 'refused' && link.manageToken === null) return [{ name: 'signedOut', tone: 'neutral' }]
  if (link.lost === 'refused') return [{ name: 'refused', tone: 'danger' }]
  if (link.state === 'deleted') return [{ name: 'deleted', tone: 'neutral' }]
  if (link.state === 'banned') badges.push({ name: 'banned', tone: 'danger' })
  if (link.state === 'disabled') badges.push({ name: 'disabled', tone: 'warn' })
  if (link.state === 'paused') badges.push({ name: 'paused', tone: 'danger' })
  if (link.health) badges.push({ name: link.health.state, tone: 'danger' })
  // The times are looked at again: the state is as of when the server was last asked.
  if (link.state === 'expired' || passed(link.expiresAt, now)) badges.push({ name: 'expired', tone: 'warn' })
  else if (link.startsAt && !passed(link.startsAt, now)) badges.push({ name: 'scheduled', tone: 'neutral' })
  if (link.kind === 'spoken') badges.push({ name: 'spoken', tone: 'neutral' })
  if (link.hasPassword) badges.push({ name: 'password', tone: 'neutral' })
  if (link.shared) badges.push({ name: 'shared', tone: 'neutral' })
  if (link.archived) badges.push({ name: 'archived', tone: 'neutral' })
  if (link.listed) badges.push({ name: 'listed', tone: 'neutral' })
  return badges
}

const passed = (iso: string | null, now: number) => iso !== null && Date.parse(iso) <= now
