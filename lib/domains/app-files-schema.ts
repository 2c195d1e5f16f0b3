import { z } from 'zod'
import { issue } from '@/lib/tools/issues'

/** What the files of lib/domains/app-files.ts can hold. Fields that these formats may get are let through within their parts. */

/** Characters of one file, as JSON. Apple reads 128 kB; a request of the API has 64. */
const MOST_FILE = 40_000
const MOST = 200

const appId = z.string().regex(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/, issue('forms.appFile.appId'))
const apps = z.looseObject({ apps: z.array(appId).max(MOST) })
const Component = z.looseObject({
  '/': z.string().optional(),
  '#': z.string().optional(),
  '?': z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  exclude: z.boolean().optional(),
  comment: z.string().optional(),
})
const Detail = z
  .looseObject({
    appID: appId.optional(),
    appIDs: z.array(appId).min(1).max(MOST).optional(),
    paths: z.array(z.string()).max(MOST).optional(),
    components: z.array(Component).max(MOST).optional(),
  })
  .refine(({ appID, appIDs }) => appID !== undefined || appIDs !== undefined, issue('forms.appFile.noApp'))

const isShort = (value: unknown) => JSON.stringify(value).length <= MOST_FILE
const tooLong = issue('forms.field.tooLong', { most: MOST_FILE })

const AppleAppSiteAssociation = z
  .strictObject({
    applinks: z.looseObject({ apps: z.array(z.never()).optional(), details: z.array(Detail).min(1).max(MOST) }).optional(),
    webcredentials: apps.optional(),
    appclips: apps.optional(),
    activitycontinuation: apps.optional(),
  })
  .refine((file) => Object.keys(file).length > 0, issue('forms.nothing'))
  .refine(isShort, tooLong)

const fingerprint = z.string().regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/, issue('forms.appFile.fingerprint'))
const Target = z.discriminatedUnion('namespace', [
  z.looseObject({
    namespace: z.literal('android_app'),
    package_name: z
      .string()
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, issue('forms.appFile.package'))
      .max(255),
    sha256_cert_fingerprints: z.array(fingerprint).min(1).max(MOST),
  }),
  z.looseObject({ namespace: z.literal('web'), site: z.url({ protocol: /^https?$/ }).max(2048) }),
])
const AssetLinks = z
  .array(z.looseObject({ relation: z.array(z.string().min(1).max(200)).min(1).max(20), target: Target }))
  .min(1)
  .max(MOST)
  .refine(isShort, tooLong)

const texts = {
  apple: 'Served at `/.well-known/apple-app-site-association`: which iOS apps open links of this domain. null for none.',
  google: 'Served at `/.well-known/assetlinks.json`: which Android apps open links of this domain. null for none.',
}

export const UpdateAppFiles = z
  .strictObject({
    appleAppSiteAssociation: AppleAppSiteAssociation.nullable().optional().meta({ description: texts.apple }),
    assetLinks: AssetLinks.nullable().optional().meta({ description: texts.google }),
  })
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))

export const AppFilesView = z.object({
  appleAppSiteAssociation: z.record(z.string(), z.unknown()).nullable().meta({ description: texts.apple }),
  assetLinks: z.array(z.record(z.string(), z.unknown())).nullable().meta({ description: texts.google }),
})
export type AppFilesView = z.infer<typeof AppFilesView>
