package io.rankfeed.feeder.ring;

/**
 * Offsets of the fields of a segment, little-endian. Normative: docs/format/ring.md, section 4.
 *
 * <pre>
 *  header (a byte is two characters wide)
 *    0               8       12      16      20      24
 *    +---------------+-------+-------+-------+-------+---------------+
 *  0 |     magic     |version| slots |columns| descr.|  tensor table |
 *    +---------------+-------+-------+-------+-------+---------------+
 * 32 |   slot table  |      data     |  slot stride  |     length    |
 *    +---------------+-------+-------+-------+-------+---------------+
 * 64 |   generation  |  rank | world |  rows |       |   plan (16)   |
 *    +---------------+-------+-------+-------+-------+---------------+
 * 96 |               |         version id (16)       |   feed (32)   |
 *    +---------------+---------------+---------------+---------------+
 * 128|                               |  stage table  |
 *    +-------------------------------+---------------+
 *
 *  tensor entry
 *    +---------------------------------------------------------------+
 *  0 |                            name (64)                          |
 *    +-+-+-+-+-------+-------+-------+-------+-------+-------+-------+
 * 64 |d|l|r| |               inner dimensions (8 × 4)                |
 *    +-+-+-+-+-------+---------------+---------------+---------------+
 * 96 |       |max len|   values at   |  values bytes |    side at    |
 *    +-------+-------+---------------+---------------+---------------+
 * 128|   side bytes  |        d: dtype, l: layout, r: inner rank
 *    +---------------+
 *
 *  slot descriptor, followed by 16 bytes for each tensor: used bytes (8), width (8)
 *    +---------------+---------------+---------------+-------+-------+
 *  0 | sequence begin|  sequence end |  global step  | epoch |  step |
 *    +-------+-------+---------------+---------------+-------+-------+
 * 32 |  rows | stream|     tokens    | padded tokens |               |
 *    +-------+-------+---------------+---------------+---------------+
 * </pre>
 */
final class RingBytes {
    // Header.
    static final int MAGIC = 0;
    static final int VERSION = 8;
    static final int SLOTS = 12;
    static final int COLUMNS = 16;
    static final int DESCRIPTOR_BYTES = 20;
    static final int TENSOR_TABLE = 24;
    static final int SLOT_TABLE = 32;
    static final int DATA = 40;
    static final int SLOT_STRIDE = 48;
    static final int LENGTH = 56;
    static final int GENERATION = 64;
    static final int RANK = 72;
    static final int WORLD = 76;
    static final int MAX_ROWS = 80;
    static final int PLAN = 88;
    static final int VERSION_ID = 104;
    static final int FEED = 120;
    static final int STAGE_TABLE = 152;
    static final int ID_BYTES = 16;
    static final int FEED_BYTES = 32;

    // Tensor entry.
    static final int TENSOR_ENTRY_BYTES = 256;
    static final int TENSOR_NAME = 0;
    static final int TENSOR_DTYPE = 64;
    static final int TENSOR_LAYOUT = 65;
    static final int TENSOR_INNER_RANK = 66;
    static final int TENSOR_INNER_DIMS = 68;
    static final int TENSOR_MAX_LENGTH = 100;
    static final int TENSOR_VALUES_AT = 104;
    static final int TENSOR_VALUES_BYTES = 112;
    static final int TENSOR_SIDE_AT = 120;
    static final int TENSOR_SIDE_BYTES = 128;
    static final int TENSOR_ITEMS_AT = 136;
    static final int TENSOR_ITEMS_BYTES = 144;

    // Slot descriptor.
    static final int SLOT_FIXED_BYTES = 64;
    static final int SLOT_SEQUENCE_BEGIN = 0;
    static final int SLOT_SEQUENCE_END = 8;
    static final int SLOT_GLOBAL_STEP = 16;
    static final int SLOT_EPOCH = 24;
    static final int SLOT_STEP_IN_EPOCH = 28;
    static final int SLOT_VALID_ROWS = 32;
    static final int SLOT_STREAM = 36;
    static final int SLOT_TOKENS = 40;
    static final int SLOT_PADDED_TOKENS = 48;

    // After the fixed part, for each tensor.
    static final int SLOT_COLUMN_BYTES = 16;
    static final int COLUMN_USED_BYTES = 0;
    static final int COLUMN_WIDTH = 8;

    private RingBytes() {}
}
