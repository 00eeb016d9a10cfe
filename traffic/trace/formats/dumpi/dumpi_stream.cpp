// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/dumpi/dumpi_stream.h"

#include "traffic/trace/bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic {
namespace {

constexpr std::uint64_t lead_in = 0xffaadd44554d5049;  // ff aa dd "DUMPI"
constexpr std::uint64_t end_of_stream = 293;
constexpr unsigned with_status = 3, with_cpu_time = 4, with_wall_time = 8, with_thread = 64,
                   with_counters = 128;

/// Arguments of a call: q, i, h, b: an integer of 8, 4, 2, 1 bytes; I, H: a number of those of 4, 2 bytes,
/// and they; c: a number of characters, and they; A: a number of such texts, and they; T: a number of ranges,
/// and they, three numbers each with how many these are; s: statuses; R: the next two are there for the root
/// only, whose rank is before the communicator; value 0 is that of the process.
struct layout {
    std::uint16_t function;
    const char* arguments;
};

constexpr layout layouts[] = {
    {0, "ihiih"},       {1, "ihiihs"},    {2, "shi"},         {3, "ihiih"},       {4, "ihiih"},
    {5, "ihiih"},       {6, "i"},         {7, "i"},           {8, "ihiihi"},      {9, "ihiihi"},
    {10, "ihiihi"},     {11, "ihiihi"},   {12, "ihiihi"},     {13, "is"},         {14, "iis"},
    {15, "i"},          {16, "iIis"},     {17, "iIiis"},      {18, "iIs"},        {19, "iIis"},
    {20, "iIiIs"},      {21, "iIiIs"},    {22, "iihis"},      {23, "iihs"},       {24, "i"},
    {25, "si"},         {26, "ihiihi"},   {27, "ihiihi"},     {28, "ihiihi"},     {29, "ihiihi"},
    {30, "ihiihi"},     {31, "i"},        {32, "iI"},         {33, "ihiiihiihs"}, {34, "ihiiiihs"},
    {35, "ihh"},        {36, "iiihh"},    {37, "iiihh"},      {38, "iIIhh"},      {39, "iIIhh"},
    {40, "iIIHh"},      {41, "i"},        {42, "hi"},         {43, "hi"},         {44, "hi"},
    {45, "hi"},         {46, "h"},        {47, "h"},          {48, "shi"},        {49, "ihiiih"},
    {50, "iiiihh"},     {51, "ihhi"},     {52, "h"},          {53, "ihih"},       {54, "iihihRih"},
    {55, "iiihihRIIh"}, {56, "iihihRih"}, {57, "iihihihRII"}, {58, "ihihh"},      {59, "iihIIhh"},
    {60, "ihihh"},      {61, "iIIhIIhh"}, {62, "ihbih"},      {63, "ib"},         {64, "b"},
    {65, "ihbh"},       {66, "iIhbh"},    {67, "ihbh"},       {68, "hi"},         {69, "hi"},
    {70, "hiIhI"},      {71, "hhb"},      {72, "hh"},         {73, "hhh"},        {74, "hhh"},
    {75, "hhh"},        {76, "hiIh"},     {77, "hiIh"},       {78, "hiTh"},       {79, "hiTh"},
    {80, "h"},          {81, "hi"},       {82, "hi"},         {83, "hhb"},        {84, "hh"},
    {85, "hhh"},        {86, "hiih"},     {87, "h"},          {88, "hi"},         {89, "hi"},
    {90, "hh"},         {91, "hihiih"},   {92, "hih"},        {93, "h"},          {94, "h"},
    {95, "hi"},         {96, "hii"},      {97, "hi"},         {98, "hb"},         {99, "hiIIih"},
    {100, "iiII"},      {101, "ihiIIih"}, {102, "hii"},       {103, "iihiiII"},   {104, "hi"},
    {105, "ihiIII"},    {106, "ihIi"},    {107, "ihiiI"},     {108, "hii"},       {109, "ihiiI"},
    {110, "hiiii"},     {111, "ihIh"},    {112, "hiIIi"},     {113, "ihiIIi"},    {114, "ci"},
    {115, "ii"},        {116, "h"},       {117, "hh"},        {118, "hh"},        {119, "h"},
    {120, "ici"},       {121, "ii"},      {122, ""},          {123, ""},          {124, "A"},
    {125, ""},          {126, "i"},       {127, "hi"},        {141, "ihiiihbh"},  {142, "ihiiihh"},
    {143, "ihiiihh"},   {144, "h"},       {145, "iihhh"},     {146, "bh"},        {147, "h"},
    {148, "hh"},        {149, "bibh"},    {150, "hbh"},       {151, "hbh"},       {152, "hi"},
    {153, "ih"},        {154, "h"},       {155, "iIIHIIHh"},  {156, "ihbh"},      {157, "i"},
    {158, "ii"},        {159, "ic"},      {160, "hi"},        {161, "h"},         {162, "hh"},
    {163, "h"},         {164, "hhi"},     {165, "hci"},       {166, "hh"},        {167, "hc"},
    {168, "hi"},        {169, "i"},       {170, "i"},         {171, "Abb"},       {172, "i"},
    {173, "b"},         {291, "q"},       {292, "q"},
};

const layout* layout_of(std::uint64_t function) {
    const auto found = std::lower_bound(std::begin(layouts), std::end(layouts), function,
                                        [](const layout& l, std::uint64_t f) { return l.function < f; });
    return found != std::end(layouts) && found->function == function ? found : nullptr;
}

std::size_t width(char kind) {
    return kind == 'q' ? 8 : kind == 'i' || kind == 'I' ? 4 : kind == 'h' || kind == 'H' ? 2 : 1;
}

}  // namespace

dumpi_stream::dumpi_stream(text_stream text) : m_text(std::move(text)) {
    char begin[16];
    if (m_text.read(begin, sizeof begin) < sizeof begin || big_endian(begin, 8) != lead_in)
        throw config::error({path(), 0, 0}, "a file of DUMPI begins with ff aa dd 'DUMPI'");
    // Behind it are the seconds that all times have been lessened by: only differences count here.
    m_offset = sizeof begin;
}

void dumpi_stream::fail(const std::string& what) const {
    throw config::error({path(), 0, 0}, fmt::format("call {}: {}", m_calls, what));
}

std::uint64_t dumpi_stream::take(std::size_t bytes) {
    char buffer[8];
    if (m_text.read(buffer, bytes) < bytes) fail("the file is cut short");
    m_offset += bytes;
    return big_endian(buffer, bytes);
}

std::int64_t dumpi_stream::take_integer(char kind) {
    const std::size_t bytes = width(kind);
    const std::uint64_t n = take(bytes);
    return bytes == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(n))
                      : static_cast<std::int64_t>(n);
}

void dumpi_stream::skip(std::uint64_t bytes) {
    char buffer[4096];
    while (bytes > 0) {
        const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, sizeof buffer));
        if (m_text.read(buffer, part) < part) fail("the file is cut short");
        m_offset += part;
        bytes -= part;
    }
}

void dumpi_stream::take_times(unsigned mask, dumpi_call& call) {
    call.timed = false;
    for (const unsigned clock : {with_cpu_time, with_wall_time}) {
        if ((mask & clock) == 0) continue;
        double when[2];
        for (double& t : when) {
            const double seconds = static_cast<double>(take(2));
            t = seconds + static_cast<double>(take(4)) * 1e-9;
        }
        if (call.timed) continue;
        call.timed = true;
        call.begin = when[0];
        call.end = when[1];
    }
}

void dumpi_stream::take_array(std::size_t bytes, dumpi_call& call) {
    call.arrays.emplace_back();
    // What a count claims is not made room for: it grows with what is read.
    for (std::uint64_t left = take(4); left > 0; --left)
        call.arrays.back().push_back(take_integer(bytes == 2 ? 'h' : 'i'));
}

void dumpi_stream::take_ranges(dumpi_call& call) {
    call.arrays.emplace_back();
    for (std::uint64_t left = take(4); left > 0; --left) {
        const std::uint64_t numbers = take(4);
        if (numbers != 3) fail(fmt::format("a range has {} numbers, not 3", numbers));
        for (int k = 0; k < 3; ++k) call.arrays.back().push_back(take_integer('i'));
    }
}

void dumpi_stream::take_statuses(dumpi_call& call) {
    for (std::uint64_t left = take(4); left > 0; --left) {
        dumpi_status s;
        s.bytes = static_cast<std::int32_t>(take_integer('i'));
        s.source = static_cast<std::int32_t>(take_integer('i'));
        take(2);  // cancelled, error
        s.tag = static_cast<std::int32_t>(take_integer('i'));
        call.statuses.push_back(s);
    }
}

void dumpi_stream::take_arguments(const char* arguments, unsigned mask, dumpi_call& call) {
    for (const char* kind = arguments; *kind != '\0'; ++kind) switch (*kind) {
            case 'I':
            case 'H':
                take_array(width(*kind), call);
                break;
            case 'T':
                take_ranges(call);
                break;
            case 'c':
                skip(take(4));
                break;
            case 'A':
                for (std::uint64_t left = take(4); left > 0; --left) skip(take(4));
                break;
            case 's':
                if ((mask & with_status) != 0) take_statuses(call);
                break;
            case 'R': {
                const std::size_t root = call.values.size() - 2;
                if (call.values[0] != call.values[root]) kind += 2;
                break;
            }
            default:
                call.values.push_back(take_integer(*kind));
        }
}

bool dumpi_stream::next(dumpi_call& call) {
    ++m_calls;
    const std::uint64_t function = take(2);
    if (function == end_of_stream) return false;
    const layout* const known = layout_of(function);
    if (known == nullptr) fail(fmt::format("function {} of DUMPI is not known here", function));
    call.function = static_cast<dumpi_function>(function);
    call.number = m_calls;
    call.values.clear();
    call.arrays.clear();
    call.statuses.clear();
    const auto mask = static_cast<unsigned>(take(1));
    if ((mask & with_thread) != 0) take(2);
    take_times(mask, call);
    if ((mask & with_counters) != 0) skip(16 * take(1));
    take_arguments(known->arguments, mask, call);
    return true;
}

std::vector<std::uint32_t> dumpi_stream::datatype_sizes() {
    // The index, the last 64 bytes, begins with the lead-in and says where the sizes are; a file has few
    // tables.
    constexpr std::size_t index_bytes = 64, most = 16 << 20;
    const std::uint64_t from = m_offset;
    std::string rest;
    char buffer[4096];
    for (std::size_t got = 0; (got = m_text.read(buffer, sizeof buffer)) > 0;) {
        rest.append(buffer, got);
        if (rest.size() > most) fail("more than 16 MiB of tables follow the calls; is this a trace?");
    }
    const char* const index = rest.data() + rest.size() - index_bytes;
    if (rest.size() < index_bytes || big_endian(index, 8) != lead_in)
        fail("the index at the end of the file is missing");
    const std::uint64_t at = big_endian(index + 8, 8) - from;
    const std::uint64_t room = rest.size() - index_bytes;
    if (at > room || room - at < 4) fail("the table of datatypes is not in the file");
    const std::uint64_t count = big_endian(rest.data() + at, 4);
    if (count > (room - at - 4) / 4)
        fail(fmt::format("the table of datatypes claims {} of them, more than there are", count));
    std::vector<std::uint32_t> sizes;
    for (std::uint64_t i = 0; i < count; ++i)
        sizes.push_back(static_cast<std::uint32_t>(big_endian(rest.data() + at + 4 + 4 * i, 4)));
    return sizes;
}

}  // namespace sare::traffic
