import type { Metadata } from 'next'
import { cache } from 'react'
import { baseUrl } from '@/app/_server/base-url'
import { getTranslations } from '@/app/_server/locale'
import { Missing } from '@/app/_server/missing'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { generateMetadata as generateNotFoundMetadata } from '@/app/not-found'
import { ProfilePage } from '@/app/profile/_parts/profile-page'
import { profileOf } from '@/lib/accounts/profile'
import { isTerseError } from '@/lib/errors'
import { runtime } from '@/lib/runtime'

/** What `/@48213370` and `/@mia` show; next.config.js leads there. */

interface Props {
  params: Promise<{ handle: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { handle } = await params
  const { cursor } = await searchParams
  const profile = await readProfile(handle, oneOf(cursor))
  if (!profile) return generateNotFoundMetadata()
  const t = await getTranslations('profile')
  return {
    title: t('title', { name: profile.name }),
    description: t('description', { name: profile.name }),
    alternates: { canonical: `${await baseUrl()}/@${profile.username ?? profile.handle}` },
    // Later pages change with every link: the first stands for all of them.
    ...(cursor !== undefined && { robots: { index: false } }),
  }
}

export default async function PublicProfilePage({ params, searchParams }: Props) {
  const { handle } = await params
  const cursor = oneOf((await searchParams).cursor)
  const profile = await readProfile(handle, cursor)
  if (!profile) return <Missing />
  return <ProfilePage profile={profile} first={cursor === undefined} />
}

/** Once per request, though title and page both ask. */
const readProfile = cache(async (handle: string, cursor: string | undefined) => {
  try {
    return await profileOf(await runtime(), handle, cursor)
  } catch (error) {
    if (isTerseError(error) && error.code === 'bad_request') return null
    throw error
  }
})
