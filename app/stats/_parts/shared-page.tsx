'use client'

import { LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { NeedsScripts } from '@/app/_ui/base/without-scripts'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { ServerDataProvider, useServerData } from '@/app/_ui/data/server-data'
import { getShared, getSharedStats, type SharedAccess, unlockShared } from '@/app/_ui/data/stats'
import { useForm } from '@/app/_ui/data/use-form'
import { textOf } from '@/lib/forms/fields'
import type { SharedStats as Numbers, SharedAbout } from '@/lib/shares/schemas'
import { Dashboard } from './dashboard'
import { requestOf } from './request'
import { DashboardSkeleton } from './skeleton'
import { StatsFailure } from './stats-failure'
import { useNumbers } from './use-numbers'
import { useTimeZone } from './use-time-zone'
import { useView } from './use-view'
import { Waiting } from './waiting'
import type { World } from './world'

/** Statistics as someone shared them: to look at alone. */
export function SharedPage({ token, world }: { token: string; world: World }) {
  return (
    <div className="pt-4 sm:pt-6">
      <NeedsScripts api className="my-4" />
      <ServerDataProvider key={token}>
        <Gate token={token} world={world} />
      </ServerDataProvider>
    </div>
  )
}

function Gate({ token, world }: { token: string; world: World }) {
  const t = useTranslations('stats.share')
  const [pass, setPass] = useState<string | null>(null)
  const access = { shared: token, pass }
  const shared = useServerData(['shared', token, pass], (signal) => getShared(access, signal))
  if (shared.failure?.kind === 'gone') {
    return (
      <div className="mt-8 rounded-card border border-dashed border-line-strong">
        <EmptyState isPage title={t('endedTitle')} text={t('endedText')} />
      </div>
    )
  }
  if (shared.value === null) {
    return shared.failure ? <StatsFailure failure={shared.failure} onAgain={shared.reload} /> : <DashboardSkeleton />
  }
  if (shared.value.about === null) return <PasswordForm token={token} onOpen={setPass} />
  return <SharedStats access={access} about={shared.value.about} world={world} />
}

function PasswordForm({ token, onOpen }: { token: string; onOpen: (pass: string) => void }) {
  const t = useTranslations('stats.share')
  const form = useForm(async (data) => {
    const result = await unlockShared(token, textOf(data, 'password'))
    if (!result.ok) return result.failure
    onOpen(result.value.pass)
    return null
  })
  return (
    <section
      aria-labelledby="locked-title"
      className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface p-5 sm:p-7"
    >
      <h1 id="locked-title" className="flex items-center gap-2.5 text-lg font-semibold">
        <LockKeyhole aria-hidden="true" className="size-5 shrink-0 text-muted" />
        {t('locked')}
      </h1>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="mt-5">
        <TextField label={t('password')} {...form.field('password')} type="password" autoComplete="off" required />
        <Button type="submit" look="primary" className="mt-5 w-full sm:w-auto" busy={form.pending}>
          {t('open')}
        </Button>
      </Form>
    </section>
  )
}

interface SharedProps {
  access: SharedAccess
  about: NonNullable<SharedAbout['about']>
  world: World
}

function SharedStats({ access, about, world }: SharedProps) {
  const control = useView()
  const timezone = useTimeZone()
  const { stats, counted, failure, stale, again } = useNumbers({
    key: ['shared stats', access, control.key, timezone],
    control,
    read: (signal) => getSharedStats(access, requestOf(control.view, timezone), signal),
    isCounting: ({ many }) => many?.counting ?? false,
  })
  return (
    <>
      <Head about={about} />
      {stats === null ? (
        failure ? (
          <StatsFailure failure={failure} onAgain={again} />
        ) : (
          <Waiting counted={counted} />
        )
      ) : (
        <>
          <Dashboard
            access={access}
            stats={stats}
            stale={stale}
            failure={failure}
            onAgain={again}
            control={control}
            world={world}
            news={0}
            first={undefined}
          />
          {stats.many && stats.many.top.length > 0 && <Top top={stats.many.top} />}
        </>
      )}
    </>
  )
}

/** What this is about: of a link also where it leads, if everyone can see that. */
function Head({ about: { kind, name, title, shortUrl, url } }: Pick<SharedProps, 'about'>) {
  const t = useTranslations('stats')
  const shown = {
    link: () => readableUrl(shortUrl ?? name),
    tag: () => t('scope.option.tag', { name }),
    folder: () => t('scope.option.folder', { name }),
    domain: () => readableUrl(`https://${name}`),
    all: () => t('share.pageTitle'),
  }[kind]()
  return (
    <>
      <h1 className="min-w-0 text-sm text-muted">
        {t.rich('page.heading', {
          link: () => (
            <bdi className="mt-0.5 line-clamp-3 py-1 text-xl font-semibold tracking-tight break-words text-fg sm:line-clamp-2 sm:text-2xl">
              {shown}
            </bdi>
          ),
        })}
      </h1>
      {(title !== '' || url !== null) && (
        <p className="mt-0.5 truncate text-sm text-muted">
          {title !== '' && <bdi className="font-medium text-fg">{title}</bdi>}
          {title !== '' && url !== null && ' · '}
          {url !== null && <bdi>{readableUrl(url)}</bdi>}
        </p>
      )}
    </>
  )
}

function Top({ top }: { top: NonNullable<Numbers['many']>['top'] }) {
  const t = useTranslations('stats')
  return (
    <div className="mt-4">
      <Card title={t('scope.top')}>
        <ol className="divide-y divide-line">
          {top.map(({ shortUrl, title, clicks }) => (
            <li key={shortUrl} className="flex items-baseline gap-4 py-2 text-sm">
              <span className="min-w-0 flex-1 truncate">
                <bdi className="font-medium">{readableUrl(shortUrl)}</bdi>
                {title !== '' && <bdi className="text-muted"> · {title}</bdi>}
              </span>
              <Amount value={clicks} className="font-medium tabular-nums" />
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}
