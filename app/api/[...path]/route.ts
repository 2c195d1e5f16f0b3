import { answerApi } from '@/lib/api/router'

/** The API where server.ts does not own the socket: `next dev`, `next start`, serverless hosts. The table is the same. */
export {
  answerApi as DELETE,
  answerApi as GET,
  answerApi as HEAD,
  answerApi as OPTIONS,
  answerApi as PATCH,
  answerApi as POST,
  answerApi as PUT,
}
