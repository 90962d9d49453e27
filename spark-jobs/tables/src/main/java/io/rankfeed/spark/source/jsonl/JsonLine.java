package io.rankfeed.spark.source.jsonl;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.JsonFault;
import io.rankfeed.schema.json.JsonTree;
import io.rankfeed.spark.source.jsonl.JsonlLines.Line;
import org.jspecify.annotations.Nullable;

/** A line of JSON as a tree whose numbers know how they were written. */
public final class JsonLine {
    private JsonLine() {}

    /**
     * A line as an object.
     *
     * @throws CorruptDataException if it is none, one of its keys is duplicated, a text has half of a surrogate pair, or
     *     it is beyond the limits of docs/job-file/csv-and-json-lines.md
     */
    public static ObjectNode object(Line line) {
        try {
            if (JsonTree.of(line.text()) instanceof ObjectNode object) {
                return object;
            }
            throw line.damage("is not a JSON object");
        } catch (JsonTree.RefusedException e) {
            throw line.damage(e.getOriginalMessage());
        } catch (StreamConstraintsException e) {
            throw line.damage("is larger than JSON is read: " + JsonFault.of(e));
        } catch (JsonProcessingException e) {
            throw line.damage("is not JSON: " + JsonFault.of(e) + at(e.getLocation()));
        }
    }

    private static String at(@Nullable JsonLocation location) {
        return location == null ? "" : " (column " + location.getColumnNr() + ")";
    }
}
