import { z } from 'zod'
import { isoTime } from '@/lib/tools/schema'
import { FAILURES } from './upstream'

export const UpstreamInput = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .meta({
        description:
          'Where the old shortener is reached once DNS leads here: by another name or its IP address, with its port and a path if it has one.',
        example: 'http://192.0.2.10',
      }),
    host: z
      .string()
      .trim()
      .regex(/^[a-zA-Z0-9.-]{1,249}(:\d{1,5})?$/)
      .nullable()
      .optional()
      .meta({ description: 'The `Host` header it’s sent. If null, the domain’s own name.', example: 'go.example.com' }),
  })
  .meta({ id: 'UpstreamInput' })

const count = () => z.int().nonnegative()

export const UpstreamView = z
  .object({
    url: z.string(),
    host: z.string().nullable(),
    since: isoTime('When it was set, in UTC.'),
    imported: count().meta({ description: 'Links that came over because someone followed them.' }),
    importedBy: z.object({ person: count(), preview: count(), bot: count(), head: count() }).meta({
      description: 'Who followed them: people, apps that show previews, other bots, and programs that sent HEAD.',
    }),
    lastImportedAt: isoTime('When the last one came over, in UTC.').nullable(),
    redirectedOnly: count().meta({ description: 'Redirects for which no link could be created.' }),
    unknown: count().meta({ description: 'Questions for back-halves that the old shortener doesn’t know either.' }),
    refused: count().meta({ description: 'Links that the rules of this site don’t allow.' }),
    busy: count().meta({ description: 'Visitors who were told to try again because too much was asked at once.' }),
    failed: count().meta({ description: 'Questions that got no answer.' }),
    lastFailure: z.object({ why: z.enum(FAILURES), at: isoTime() }).nullable(),
    isQuiet: z.boolean().meta({ description: 'Whether nothing has come over for a week.' }),
  })
  .meta({ id: 'Upstream' })

export type UpstreamInput = z.output<typeof UpstreamInput>
export type UpstreamView = z.infer<typeof UpstreamView>
