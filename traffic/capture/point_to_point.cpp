// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/requests.h"

/// Messages, blocking and not, and probes.
namespace sare::capture {
namespace {

/// Returns the group for a message; null for a rank that is none, or a communicator that is not known.
group_pointer partners(MPI_Comm comm, int rank) {
    return rank == MPI_PROC_NULL ? nullptr : group_of(comm);
}

void send(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    if (const auto on = partners(comm, to))
        record().event("send", on->peer(to), bytes_of(count, type), tag, on->on());
}

operation isend(int count, MPI_Datatype type, int to, int tag, const group_pointer& on) {
    operation o;
    o.first = record().name();
    o.events = 1;
    o.send_line = record().event("isend", on->peer(to), bytes_of(count, type), tag, o.first, on->on());
    return o;
}

/// Returns a persistent request: each start is a message of its own, which `post` writes.
operation persistent(std::function<operation()> post) {
    operation o;
    o.start = [post = std::move(post)](operation& self) {
        operation next = post();
        next.start = self.start;
        self = std::move(next);
    };
    return o;
}

/// Records what a blocking receive has got.
void received(const group_pointer& on, const MPI_Status& status) {
    record().event("recv", on->peer(status.MPI_SOURCE), bytes_of(status), status.MPI_TAG, on->on());
}

/// A blocking call that receives. If other threads go on meanwhile, their events stand between its posting
/// and its end; else it is one event, at its end.
class receiving {
  public:
    receiving(group_pointer on, int from, std::int64_t bytes, int tag) : m_on(std::move(on)) {
        if (m_on && record().threaded()) m_posted = post_receive(m_on, from, bytes, tag);
    }
    void end(const MPI_Status& status) {
        if (!m_on) return;
        if (m_posted) {
            resolve(*m_posted->receive, status);
            record().event("wait", m_posted->first);
        } else {
            received(m_on, status);
        }
    }

  private:
    group_pointer m_on;
    std::optional<operation> m_posted;
};

/// Records a probe of a message that is there, or was waited for; `from` none: there was none.
void probed(MPI_Comm comm, const MPI_Status& status) {
    if (const auto on = partners(comm, status.MPI_SOURCE))
        record().event("probe", on->peer(status.MPI_SOURCE), status.MPI_TAG, on->on());
}

/// The data of both halves of an exchange.
struct exchange {
    int to, to_tag, from, from_tag;
    std::int64_t bytes, from_bytes;
    MPI_Comm comm;
};

/// Records MPI_Sendrecv: one event if both tags are the same, else a receive beside a send.
template <class Real>
int send_and_receive(const exchange& e, MPI_Status* status, const Real& real) {
    const auto to = partners(e.comm, e.to), from = partners(e.comm, e.from);
    statuses got(status, 1);
    if (!record().threaded() && to && from && e.from != MPI_ANY_SOURCE && e.from_tag == e.to_tag) {
        const int result = real(got.data());
        record().event("sendrecv", to->peer(e.to), e.bytes, from->peer(e.from), bytes_of(got[0]), e.to_tag,
                       to->on());
        return result;
    }
    std::optional<operation> posted;
    if (from) posted = post_receive(from, e.from, e.from_bytes, e.from_tag);
    if (to) record().event("send", to->peer(e.to), e.bytes, e.to_tag, to->on());
    const int result = real(got.data());
    if (posted) {
        resolve(*posted->receive, got[0]);
        record().event("wait", posted->first);
    }
    return result;
}

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

#define SARE_SEND(name)                                                                                  \
    SARE_CALL(name,                                                                                      \
              SARE_LIST(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
              SARE_LIST(data, count, type, to, tag, comm), {                                             \
                  send(count, type, to, tag, comm);                                                      \
                  return real();                                                                         \
              })
SARE_SEND(Send)
SARE_SEND(Bsend)
SARE_SEND(Ssend)
SARE_SEND(Rsend)

#define SARE_REQUEST_PARAMETERS(constant, peer) \
    constant void *data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request

#define SARE_ISEND(name)                                              \
    SARE_CALL(name, SARE_LIST(SARE_REQUEST_PARAMETERS(const, to)),    \
              SARE_LIST(data, count, type, to, tag, comm, request), { \
                  const auto on = partners(comm, to);                 \
                  if (!on) return real();                             \
                  operation o = isend(count, type, to, tag, on);      \
                  const int result = real();                          \
                  begin_request(*request, std::move(o));              \
                  return result;                                      \
              })
SARE_ISEND(Isend)
SARE_ISEND(Ibsend)
SARE_ISEND(Issend)
SARE_ISEND(Irsend)

#define SARE_SEND_INIT(name)                                                                                \
    SARE_CALL(name, SARE_LIST(SARE_REQUEST_PARAMETERS(const, to)),                                          \
              SARE_LIST(data, count, type, to, tag, comm, request), {                                       \
                  const int result = real();                                                                \
                  if (const auto on = partners(comm, to))                                                   \
                      begin_request(*request, persistent([=] { return isend(count, type, to, tag, on); })); \
                  return result;                                                                            \
              })
SARE_SEND_INIT(Send_init)
SARE_SEND_INIT(Bsend_init)
SARE_SEND_INIT(Ssend_init)
SARE_SEND_INIT(Rsend_init)

SARE_CALL(Recv_init, SARE_LIST(SARE_REQUEST_PARAMETERS(, from)),
          SARE_LIST(data, count, type, from, tag, comm, request), {
              const int result = real();
              if (const auto on = partners(comm, from)) {
                  const std::int64_t bytes = bytes_of(count, type);
                  begin_request(*request, persistent([=] { return post_receive(on, from, bytes, tag); }));
              }
              return result;
          })

SARE_CALL(Irecv, SARE_LIST(SARE_REQUEST_PARAMETERS(, from)),
          SARE_LIST(data, count, type, from, tag, comm, request), {
              const auto on = partners(comm, from);
              if (!on) return real();
              operation o = post_receive(on, from, bytes_of(count, type), tag);
              const int result = real();
              begin_request(*request, std::move(o));
              return result;
          })

SARE_CALL(Recv,
          SARE_LIST(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                    MPI_Status* status),
          SARE_LIST(data, count, type, from, tag, comm, status), {
              statuses got(status, 1);
              status = got.data();
              receiving r(partners(comm, from), from, bytes_of(count, type), tag);
              const int result = real();
              r.end(got[0]);
              return result;
          })

SARE_CALL(Sendrecv,
          SARE_LIST(const void* data, int count, MPI_Datatype type, int to, int to_tag, void* got,
                    int got_count, MPI_Datatype got_type, int from, int from_tag, MPI_Comm comm,
                    MPI_Status* status),
          SARE_LIST(data, count, type, to, to_tag, got, got_count, got_type, from, from_tag, comm, status), {
              const exchange e = {
                  to, to_tag, from, from_tag, bytes_of(count, type), bytes_of(got_count, got_type), comm};
              return send_and_receive(e, status, [&](MPI_Status* s) {
                  status = s;
                  return real();
              });
          })

SARE_CALL(Sendrecv_replace,
          SARE_LIST(void* data, int count, MPI_Datatype type, int to, int to_tag, int from, int from_tag,
                    MPI_Comm comm, MPI_Status* status),
          SARE_LIST(data, count, type, to, to_tag, from, from_tag, comm, status), {
              const std::int64_t bytes = bytes_of(count, type);
              const exchange e = {to, to_tag, from, from_tag, bytes, bytes, comm};
              return send_and_receive(e, status, [&](MPI_Status* s) {
                  status = s;
                  return real();
              });
          })

SARE_CALL(Probe, SARE_LIST(int from, int tag, MPI_Comm comm, MPI_Status* status),
          SARE_LIST(from, tag, comm, status), {
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              probed(comm, got[0]);
              return result;
          })

SARE_CALL(Iprobe, SARE_LIST(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
          SARE_LIST(from, tag, comm, flag, status), {
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (*flag != 0) probed(comm, got[0]);
              return result;
          })

// A matched probe takes the message out of the order in which others are received: it is the receive. What
// gets the data afterwards is nothing more.
SARE_CALL(Mprobe, SARE_LIST(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
          SARE_LIST(from, tag, comm, message, status), {
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (const auto on = partners(comm, got[0].MPI_SOURCE)) received(on, got[0]);
              return result;
          })

SARE_CALL(Improbe,
          SARE_LIST(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
          SARE_LIST(from, tag, comm, flag, message, status), {
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              const auto on = *flag != 0 ? partners(comm, got[0].MPI_SOURCE) : nullptr;
              if (on) received(on, got[0]);
              return result;
          })

SARE_CALL(Mrecv,
          SARE_LIST(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status),
          SARE_LIST(data, count, type, message, status), { return real(); })

SARE_CALL(Imrecv,
          SARE_LIST(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request),
          SARE_LIST(data, count, type, message, request), { return real(); })
