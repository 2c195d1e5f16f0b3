import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { Favicon } from '@/app/_ui/links/favicon'
import type { LinkView } from '@/lib/links/schemas'

interface Props {
  code: string
  domain: string
  /** What is known of the link; nothing, as long as nothing has opened it. */
  link: Pick<LinkView, 'shortUrl' | 'url' | 'title' | 'icon'> | undefined
  aside?: ReactNode
}

/** Which link this is about. */
export function LinkTitle({ code, domain, link, aside }: Props) {
  const t = useTranslations('stats')
  const name = link ? readableUrl(link.shortUrl) : `${domain}/${code}`
  return (
    <div className="flex flex-col gap-x-6 gap-y-3 sm:flex-row sm:items-end sm:justify-between">
      <div className="min-w-0">
        <div className="flex items-end gap-1">
          <h1 className="min-w-0 text-sm text-muted">
            {t.rich('page.heading', {
              link: () => (
                <bdi className="mt-0.5 line-clamp-3 py-1 text-xl font-semibold tracking-tight break-all text-fg sm:line-clamp-2 sm:text-2xl">
                  {name}
                </bdi>
              ),
            })}
          </h1>
          {link && (
            <span className="-mb-1 sm:mb-0">
              <CopyIconButton text={link.shortUrl} name={name} />
            </span>
          )}
        </div>
        {link && (
          <p className="mt-0.5 flex min-w-0 items-center gap-1 text-sm text-muted">
            <span className="min-w-0 truncate" title={link.url}>
              <Favicon of={link} className="mr-1.5 align-[-3px]" />
              {link.title && <bdi className="font-medium text-fg">{link.title} · </bdi>}
              {t.rich('page.destination', {
                link: () => (
                  <a
                    href={link.url}
                    target="_blank"
                    rel="noreferrer"
                    className="underline-offset-4 hover:text-fg hover:underline"
                  >
                    <bdi>{readableUrl(link.url)}</bdi>
                  </a>
                ),
              })}
            </span>
          </p>
        )}
      </div>
      {aside && <div className="shrink-0">{aside}</div>}
    </div>
  )
}
