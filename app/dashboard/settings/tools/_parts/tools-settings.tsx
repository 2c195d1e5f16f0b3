'use client'

import { Bookmark } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { Field, inputClass } from '@/app/_ui/base/field'
import { toast } from '@/app/_ui/base/toast'

interface Props {
  /** What this deployment is called. */
  site: string
  /** Where it is. */
  address: string
}

/** Ways to shorten a page without opening this one first. */
export function ToolsSettings({ site, address }: Props) {
  const t = useTranslations('tools')
  return (
    <div className="space-y-4">
      <BookmarkCard site={site} address={address} />
      <Card title={t('phone.title')}>
        <p className="text-sm text-muted text-pretty">{t('phone.install', { address, name: site })}</p>
        <p className="mt-3 text-sm text-muted text-pretty">{t('phone.offline', { name: site })}</p>
      </Card>
    </div>
  )
}

/** Opens the front page with the address of the page it is used on, whose own policy does not hold for bookmarks. */
const bookmarkOf = (address: string) =>
  `javascript:(()=>{const u=${JSON.stringify(`${address}/?url=`)}+encodeURIComponent(location.href);window.open(u)||(location.href=u)})()`

function BookmarkCard({ site, address }: Props) {
  const t = useTranslations('tools.bookmark')
  const link = useRef<HTMLAnchorElement>(null)
  const code = bookmarkOf(address)
  const hint = t('dragHint')
  useEffect(() => {
    const element = link.current
    // React writes no address that is a script.
    element?.setAttribute('href', code)
    const onClick = (event: Event) => {
      event.preventDefault()
      toast(hint)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [code, hint])
  return (
    <Card title={t('title')}>
      <p className="text-sm text-muted text-pretty">{t('drag')}</p>
      <p className="mt-4">
        <a ref={link} href={address} draggable className={buttonClass('secondary', 'cursor-grab')}>
          <Bookmark aria-hidden="true" className="size-[18px]" />
          {t('name', { name: site })}
        </a>
      </p>
      <Field label={t('code')} hint={t('paste')} className="mt-6">
        {(control) => (
          <span className="flex flex-col gap-3 sm:flex-row">
            <input
              {...control}
              readOnly
              value={code}
              className={`${inputClass} min-w-0 flex-1 font-mono max-sm:flex-none sm:text-sm`}
            />
            <CopyButton text={code} name={t('code')} />
          </span>
        )}
      </Field>
    </Card>
  )
}
