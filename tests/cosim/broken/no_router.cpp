// SPDX-License-Identifier: Apache-2.0
int sare_no_router() {
    return 0;
}
