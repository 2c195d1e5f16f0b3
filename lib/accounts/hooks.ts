import { APIError, type BetterAuthOptions, generateId } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { Config } from '@/lib/config'
import { INVITATION_HEADER } from './names'
import { admit, redeem } from './policy'
import { accountName } from './schemas'

const SignUp = z.object({ name: accountName, email: z.string().max(254, 'Use at most 254 characters.') })

/** What we add to better-auth's sign-up and sign-in. */
export function signInHooks({ SIGN_UP }: Config): Pick<BetterAuthOptions, 'hooks' | 'databaseHooks'> {
  return {
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path === '/sign-up/email') {
          // Handles are given, not chosen; pictures are nowhere shown.
          for (const field of ['username', 'displayUsername', 'image']) delete ctx.body[field]
          const { success, data, error } = SignUp.safeParse(ctx.body)
          if (!success) throw new APIError('BAD_REQUEST', { code: 'INVALID_INPUT', message: error.issues[0]?.message ?? '' })
          ctx.body.name = data.name
          // Once more when the account is made; a refusal there would be taken for a secret where addresses are verified.
          const token = ctx.headers?.get(INVITATION_HEADER) ?? null
          await admit(SIGN_UP, ctx.context.adapter, { email: data.email, emailVerified: false, token })
        }
        if (ctx.path === '/sign-in/username') {
          const { username, password } = ctx.body as { username: string; password: string }
          const user = await ctx.context.adapter.findOne<{ id: string }>({
            model: 'user',
            where: [{ field: 'username', value: username }],
          })
          const credential = user && (await ctx.context.internalAdapter.findCredentialAccount(user.id))
          // An account without a password would be told from none by how quickly it is refused.
          if (user && !credential?.password) await ctx.context.password.hash(password)
        }
      }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => {
            const id = generateId()
            if (!context) throw new Error('an account is made by a request')
            const token = context.headers?.get(INVITATION_HEADER) ?? null
            const { email, emailVerified } = user
            const invitation = await admit(SIGN_UP, context.context.adapter, { email, emailVerified, token })
            if (invitation) await redeem(context.context.adapter, invitation, id)
            return { data: { ...user, id } }
          },
        },
      },
    },
  }
}
