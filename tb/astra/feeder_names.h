// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of Chakra's reader that ASTRA-sim uses, for commits of Chakra that have them in an inner namespace
// only.
namespace Chakra {
namespace FeederV3 {
class ETFeeder;
class ETFeederNode;
}  // namespace FeederV3
using FeederV3::ETFeeder;
using FeederV3::ETFeederNode;
}  // namespace Chakra
