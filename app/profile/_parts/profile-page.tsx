import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { LocalDay } from '@/app/_ui/base/local-day'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { Profile } from '@/lib/accounts/schemas'

interface Props {
  profile: Profile
  /** The page with the newest links. */
  first: boolean
}

/** What an account shows of itself. Names, titles and destinations are what strangers typed: each keeps to its own place. */
export function ProfilePage({ profile: { handle, username, name, links, nextCursor }, first }: Props) {
  const t = useTranslations('profile')
  const called = `@${username ?? handle}`
  return (
    <div className="mx-auto max-w-2xl pt-8 sm:pt-14">
      <h1 className="line-clamp-2 text-3xl font-semibold tracking-tight text-anywhere">
        <bdi>{name}</bdi>
      </h1>
      <p className="mt-1 text-muted tabular-nums">{called}</p>
      {links.length === 0 ? (
        <p className="mt-8 rounded-card border border-dashed border-line-strong px-5 py-12 text-center text-muted">
          {first && !nextCursor ? t('empty') : t('emptyPage')}
        </p>
      ) : (
        <ul aria-label={t('label', { name })} className="mt-8 divide-y divide-line rounded-card border border-line bg-surface">
          {links.map((link) => (
            <ProfileLink key={link.shortUrl} link={link} />
          ))}
        </ul>
      )}
      {(nextCursor || !first) && (
        <nav aria-label={t('pages.label')} className="mt-4 flex justify-between gap-3">
          {!first && (
            <LinkButton href={`/${called}`} prefetch={false} size="small">
              {t('pages.newest')}
            </LinkButton>
          )}
          {nextCursor && (
            <LinkButton href={`/${called}?cursor=${nextCursor}`} prefetch={false} size="small" className="ml-auto">
              {t('pages.older')}
            </LinkButton>
          )}
        </nav>
      )}
    </div>
  )
}

function ProfileLink({ link }: { link: Profile['links'][number] }) {
  const t = useTranslations('profile')
  const name = readableUrl(link.shortUrl)
  return (
    <li className="flex items-center gap-2 py-4 pr-2 pl-4 sm:pr-3 sm:pl-5">
      <div className="min-w-0 flex-1">
        {/* By its short URL, so that it counts as a click; not for search engines to take as a recommendation. */}
        <a
          href={link.shortUrl}
          rel="nofollow noopener noreferrer ugc"
          className="line-clamp-2 font-medium text-accent underline-offset-4 text-anywhere hover:underline"
        >
          <bdi>{link.title || name}</bdi>
        </a>
        <p className="mt-0.5 truncate text-sm text-muted" title={link.url}>
          {link.url === link.shortUrl ? t('password') : <bdi>{readableUrl(link.url)}</bdi>}
        </p>
        <p className="mt-0.5 truncate text-[13px] text-muted">
          {link.title && <>{name} · </>}
          <LocalDay iso={link.createdAt} />
        </p>
      </div>
      <CopyIconButton text={link.shortUrl} name={name} />
    </li>
  )
}
