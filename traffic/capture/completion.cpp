// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/requests.h"

/// Functions that wait for requests, test them, start them or give them up.
namespace sare::capture {
namespace {

/// The requests as they were before MPI took them away.
class handles {
  public:
    handles(const MPI_Request* first, int count) : m_all(first, first + count) {}
    void end(int i, const MPI_Status& status) const {
        end_request(m_all[static_cast<std::size_t>(i)], status);
    }
    void end_all(const statuses& got) const {
        for (std::size_t i = 0; i < m_all.size(); ++i) end(static_cast<int>(i), got[static_cast<int>(i)]);
    }
    void end_some(int count, const int* which, const statuses& got) const {
        for (int i = 0; i < count; ++i) end(which[i], got[i]);
    }

  private:
    std::vector<MPI_Request> m_all;
};

}  // namespace
}  // namespace sare::capture

using namespace sare::capture;

SARE_CALL(Wait, SARE_LIST(MPI_Request* request, MPI_Status* status), SARE_LIST(request, status), {
    const handles before(request, 1);
    statuses got(status, 1);
    status = got.data();
    const int result = real();
    before.end(0, got[0]);
    return result;
})

SARE_CALL(Test, SARE_LIST(MPI_Request* request, int* flag, MPI_Status* status),
          SARE_LIST(request, flag, status), {
              const handles before(request, 1);
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (*flag != 0)
                  before.end(0, got[0]);
              else
                  test_request(*request);
              return result;
          })

SARE_CALL(Request_get_status, SARE_LIST(MPI_Request request, int* flag, MPI_Status* status),
          SARE_LIST(request, flag, status), {
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (*flag != 0 && request != MPI_REQUEST_NULL) end_request(request, got[0], true);
              return result;
          })

SARE_CALL(Waitall, SARE_LIST(int count, MPI_Request requests[], MPI_Status status[]),
          SARE_LIST(count, requests, status), {
              const handles before(requests, count);
              statuses got(status, count);
              status = got.data();
              const int result = real();
              before.end_all(got);
              return result;
          })

SARE_CALL(Testall, SARE_LIST(int count, MPI_Request requests[], int* flag, MPI_Status status[]),
          SARE_LIST(count, requests, flag, status), {
              const handles before(requests, count);
              statuses got(status, count);
              status = got.data();
              const int result = real();
              if (*flag != 0) before.end_all(got);
              return result;
          })

SARE_CALL(Waitany, SARE_LIST(int count, MPI_Request requests[], int* which, MPI_Status* status),
          SARE_LIST(count, requests, which, status), {
              const handles before(requests, count);
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (*which != MPI_UNDEFINED) before.end(*which, got[0]);
              return result;
          })

SARE_CALL(Testany, SARE_LIST(int count, MPI_Request requests[], int* which, int* flag, MPI_Status* status),
          SARE_LIST(count, requests, which, flag, status), {
              const handles before(requests, count);
              statuses got(status, 1);
              status = got.data();
              const int result = real();
              if (*flag != 0 && *which != MPI_UNDEFINED) before.end(*which, got[0]);
              return result;
          })

#define SARE_SOME(name)                                                                                  \
    SARE_CALL(name,                                                                                      \
              SARE_LIST(int count, MPI_Request requests[], int* done, int which[], MPI_Status status[]), \
              SARE_LIST(count, requests, done, which, status), {                                         \
                  const handles before(requests, count);                                                 \
                  statuses got(status, count);                                                           \
                  status = got.data();                                                                   \
                  const int result = real();                                                             \
                  if (*done != MPI_UNDEFINED) before.end_some(*done, which, got);                        \
                  return result;                                                                         \
              })
SARE_SOME(Waitsome)
SARE_SOME(Testsome)

SARE_CALL(Request_free, SARE_LIST(MPI_Request* request), SARE_LIST(request), {
    drop_request(*request);
    return real();
})

// Whether it could be cancelled is said by the status, at its end.
SARE_CALL(Cancel, SARE_LIST(MPI_Request* request), SARE_LIST(request), { return real(); })

SARE_CALL(Start, SARE_LIST(MPI_Request* request), SARE_LIST(request), {
    start_request(*request);
    return real();
})

SARE_CALL(Startall, SARE_LIST(int count, MPI_Request requests[]), SARE_LIST(count, requests), {
    for (int i = 0; i < count; ++i) start_request(requests[i]);
    return real();
})
