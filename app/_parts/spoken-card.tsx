'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { cx } from '@/app/_ui/base/cx'
import { Form } from '@/app/_ui/base/form'
import { useLocalTime } from '@/app/_ui/base/local-time'
import { CopyByHand, WithoutScripts } from '@/app/_ui/base/without-scripts'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import type { SpokenView } from '@/lib/links/schemas'
import { groupsOf } from './spoken-text'

/** A number, large enough to be read across a room, and how long it still works. */
export function SpokenCard({ code, onAgain }: { code: SpokenView; onAgain: () => void }) {
  const t = useTranslations('spoken')
  const links = useTranslations('links')
  const format = useFormat()
  const time = useLocalTime(code.expiresAt)
  const copy = useRef<HTMLButtonElement>(null)
  const left = useSecondsUntil(code.expiresAt)
  useEffect(() => copy.current?.focus(), [])
  const { host } = new URL(code.shortUrl)
  const inBrowser = useInBrowser()
  const expired = inBrowser && left <= 0
  return (
    <section
      aria-label={t('number')}
      className="appear rounded-card border border-line bg-surface p-5 text-center shadow-xs sm:p-8"
    >
      <p className="text-lg text-muted text-anywhere sm:text-xl">{readableUrl(`http://${host}/`)}&thinsp;/</p>
      <p
        className={cx(
          'mt-1 flex justify-center gap-[0.35em] font-mono text-6xl font-semibold tracking-wide tabular-nums sm:text-8xl',
          expired && 'text-muted line-through decoration-2',
        )}
      >
        {groupsOf(code.digits).map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never change places
          <span key={index}>{group}</span>
        ))}
      </p>
      <p className="mt-4 line-clamp-2 text-sm break-all text-muted">
        {links('result.destination', { destination: readableUrl(code.url) })}
      </p>
      <p className="mt-1 text-sm text-muted tabular-nums" title={inBrowser ? time : undefined}>
        {!inBrowser ? (
          t('until', { time })
        ) : expired ? (
          <span role="status">{t('expired')}</span>
        ) : (
          t.rich('countdown', {
            left: format.span(roughly(left), 'long'),
            time,
            timer: (text) => <span role="timer">{text}</span>,
          })
        )}
      </p>
      <div className="mt-6 flex flex-col justify-center gap-3 sm:flex-row">
        {!expired && <CopyButton ref={copy} text={code.shortUrl} name={readableUrl(code.shortUrl)} />}
        <AnotherNumber onAgain={onAgain} />
      </div>
      {code.manageToken && (
        <WithoutScripts>
          <div className="mt-6 border-t border-line pt-5 text-left">
            <CopyByHand label={links('token.label')} text={code.manageToken} hint={links('token.hint')} />
          </div>
        </WithoutScripts>
      )}
    </section>
  )
}

/** Without scripts the form for it is a form away. */
function AnotherNumber({ onAgain }: { onAgain: () => void }) {
  const t = useTranslations('spoken')
  return (
    <Form
      name="spoken"
      aria-label={t('another')}
      onSubmit={(event) => {
        event.preventDefault()
        onAgain()
      }}
    >
      <Button type="submit" className="w-full">
        {t('another')}
      </Button>
    </Form>
  )
}

/** Counts down once a second; below 0 it stands still. */
function useSecondsUntil(iso: string): number {
  const [left, setLeft] = useState(() => secondsUntil(iso))
  useEffect(() => {
    const timer = setInterval(() => {
      const seconds = secondsUntil(iso)
      setLeft(seconds)
      if (seconds <= 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [iso])
  return left
}

/** Seconds count only towards the end. */
const roughly = (seconds: number) => (seconds > 300 ? Math.ceil(seconds / 60) * 60 : seconds)

const secondsUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / 1000)
