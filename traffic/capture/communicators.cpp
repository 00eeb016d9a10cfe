// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/requests.h"

/// Functions that make and free communicators. The messages by which MPI makes them are not the program's.
using namespace sare::capture;

#define SARE_MAKES(name, parameters, arguments)                    \
    SARE_CALL(name, SARE_LIST(parameters), SARE_LIST(arguments), { \
        const int result = real();                                 \
        adopt(*made);                                              \
        return result;                                             \
    })

SARE_MAKES(Comm_dup, SARE_LIST(MPI_Comm comm, MPI_Comm* made), SARE_LIST(comm, made))
SARE_MAKES(Comm_dup_with_info, SARE_LIST(MPI_Comm comm, MPI_Info info, MPI_Comm* made),
           SARE_LIST(comm, info, made))
SARE_MAKES(Comm_create, SARE_LIST(MPI_Comm comm, MPI_Group some, MPI_Comm* made), SARE_LIST(comm, some, made))
SARE_MAKES(Comm_create_group, SARE_LIST(MPI_Comm comm, MPI_Group some, int tag, MPI_Comm* made),
           SARE_LIST(comm, some, tag, made))
SARE_MAKES(Comm_split, SARE_LIST(MPI_Comm comm, int color, int order, MPI_Comm* made),
           SARE_LIST(comm, color, order, made))
SARE_MAKES(Comm_split_type, SARE_LIST(MPI_Comm comm, int type, int order, MPI_Info info, MPI_Comm* made),
           SARE_LIST(comm, type, order, info, made))
SARE_MAKES(Cart_create,
           SARE_LIST(MPI_Comm comm, int dims, const int size[], const int periods[], int reorder,
                     MPI_Comm* made),
           SARE_LIST(comm, dims, size, periods, reorder, made))
SARE_MAKES(Cart_sub, SARE_LIST(MPI_Comm comm, const int remain[], MPI_Comm* made),
           SARE_LIST(comm, remain, made))
SARE_MAKES(Graph_create,
           SARE_LIST(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                     MPI_Comm* made),
           SARE_LIST(comm, nodes, index, edges, reorder, made))
SARE_MAKES(Dist_graph_create,
           SARE_LIST(MPI_Comm comm, int n, const int sources[], const int degrees[], const int to[],
                     const int weights[], MPI_Info info, int reorder, MPI_Comm* made),
           SARE_LIST(comm, n, sources, degrees, to, weights, info, reorder, made))
SARE_MAKES(Dist_graph_create_adjacent,
           SARE_LIST(MPI_Comm comm, int in_degree, const int from[], const int from_weights[], int out_degree,
                     const int to[], const int to_weights[], MPI_Info info, int reorder, MPI_Comm* made),
           SARE_LIST(comm, in_degree, from, from_weights, out_degree, to, to_weights, info, reorder, made))
SARE_MAKES(Intercomm_create,
           SARE_LIST(MPI_Comm local, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made),
           SARE_LIST(local, leader, peer, remote_leader, tag, made))
SARE_MAKES(Intercomm_merge, SARE_LIST(MPI_Comm comm, int high, MPI_Comm* made), SARE_LIST(comm, high, made))

SARE_CALL(Comm_idup, SARE_LIST(MPI_Comm comm, MPI_Comm* made, MPI_Request* request),
          SARE_LIST(comm, made, request), {
              operation o;
              o.ended = adopt_later(comm, made);
              const int result = real();
              begin_request(*request, std::move(o));
              return result;
          })

SARE_CALL(Comm_free, SARE_LIST(MPI_Comm* comm), SARE_LIST(comm), {
    forget(*comm);
    return real();
})

SARE_CALL(Comm_disconnect, SARE_LIST(MPI_Comm* comm), SARE_LIST(comm), {
    forget(*comm);
    return real();
})
