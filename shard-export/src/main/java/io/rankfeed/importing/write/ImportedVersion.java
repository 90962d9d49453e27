package io.rankfeed.importing.write;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rankfeed.importing.index.Damages.Damage;
import io.rankfeed.importing.index.DatasetIndex;
import io.rankfeed.importing.index.ExternalFile;
import io.rankfeed.importing.index.IndexedPart;
import io.rankfeed.importing.index.Parallel;
import io.rankfeed.importing.select.SampleAddresses;
import io.rankfeed.importing.select.SampleLists;
import io.rankfeed.sampling.order.LaneLayout;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.json.CanonicalJson;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.ArtifactFormat;
import io.rankfeed.schema.manifest.Contents;
import io.rankfeed.schema.manifest.External;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.schema.manifest.Manifest;
import io.rankfeed.schema.manifest.ManifestJson;
import io.rankfeed.schema.manifest.Origin;
import io.rankfeed.schema.manifest.Stamps;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.selection.SelectedTrain;
import io.rankfeed.schema.selection.Selection;
import io.rankfeed.schema.selection.SelectionJson;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A version over a dataset, from the index of its samples to the manifest. Equal files and options give equal bytes, but for the stamps.
 *
 * @param dataset the name of the imported dataset
 * @param key the column that identifies samples, if there is one
 * @param feed the rows of the only feed, as {@code selection.json} has them
 */
public record ImportedVersion(
        String dataset,
        DatasetIndex index,
        SampleAddresses addresses,
        SampleLists lists,
        SelectedTrain feed,
        Optional<String> key) {
    /** The name of the feed of every imported version. */
    public static final String FEED = "train";

    /** As exports have them where the job says nothing else. */
    private static final Order.Storage STORAGE = new Order.Storage(1 << 10, 1 << 20);

    /** The bytes that the rows take in lanes. */
    public long laneBytes() {
        long rowBytes = Long.BYTES + Integer.BYTES + Long.BYTES;
        for (Field field : index.schema().fields()) {
            long reference =
                    field.kind() == Field.Kind.FIXED ? Math.min(field.strideBytes(), Long.BYTES) : 2 * Long.BYTES;
            rowBytes += reference + (field.nullable() ? 1 : 0);
        }
        return feed.rows() * rowBytes;
    }

    /**
     * Writes the version, or finds it complete, and writes the stamps of its files.
     *
     * @param root folder of the dataset, absolute
     * @param files by number
     * @return its id
     * @throws ConfigException if the version would be larger than readers accept
     */
    public String write(VersionStage stage, Path root, List<ExternalFile> files, int threads) {
        VersionFiles out = new VersionFiles(stage.folder());
        List<ArtifactFile> written = new ArrayList<>();
        ArtifactFile external = out.external(files);
        written.add(external);
        byte[] json = SelectionJson.toBytes(new Selection(dataset, Optional.of(STORAGE), List.of(feed)));
        requireReadable(json, Selection.FILE_NAME);
        ArtifactFile selection = out.small(Selection.FILE_NAME, json);
        written.add(selection);
        List<Input> inputs = List.of(
                new Input.ExternalInput(dataset, index.format(), external.sha256()),
                new Input.SelectionInput(selection.sha256()));
        String id = Manifest.idOf(ArtifactFormat.VERSION, job(), inputs);
        Stamps stamps = stamps(root, external, files);
        if (stage.has(id)) {
            stamps.write(stage.version(id));
            return id;
        }
        if (index.damaged() > 0) {
            written.add(out.small(External.DAMAGED_FILE_NAME, damaged()));
        }
        Parallel.map(
                        feed.lanes() + 1,
                        threads,
                        i -> out.lane(index, lists, addresses, FEED, feed.lanes(), i + LaneLayout.SHARED, STORAGE))
                .forEach(written::addAll);
        byte[] manifest = manifest(files, inputs, written);
        requireReadable(manifest, Manifest.FILE_NAME);
        stamps.write(stage.folder());
        out.small(Manifest.FILE_NAME, manifest);
        stage.publish(id);
        return id;
    }

    private ObjectNode job() {
        ObjectNode job = JsonNodeFactory.instance.objectNode();
        ArrayNode columns = job.putObject("import").putArray("columns");
        index.schema().names().forEach(columns::add);
        return job;
    }

    private byte[] manifest(List<ExternalFile> files, List<Input> inputs, List<ArtifactFile> written) {
        return ManifestJson.toBytes(new Manifest.Version(
                new Contents(dataset, job(), inputs, feed.rows(), written),
                index.schema(),
                List.of(),
                index.columns().maxLengths(),
                Map.of(),
                Map.of(),
                new Origin(key.stream().toList(), Map.of()),
                Optional.of(new External(
                        files.size(),
                        files.stream().mapToLong(ExternalFile::bytes).sum(),
                        index.columns().files(),
                        index.damaged()))));
    }

    private static Stamps stamps(Path root, ArtifactFile external, List<ExternalFile> files) {
        return new Stamps(
                root,
                external.sha256(),
                files.stream().mapToLong(ExternalFile::bytes).toArray(),
                files.stream().mapToLong(ExternalFile::modifiedNanos).toArray());
    }

    /** A line for each damaged sample that is named, in the order of the parts. */
    private byte[] damaged() {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (IndexedPart part : index.indexed()) {
            for (Damage damage : part.damages().named()) {
                lines.writeBytes(CanonicalJson.compact(JsonNodeFactory.instance
                        .objectNode()
                        .put("file", damage.file())
                        .put("offset", damage.offset())
                        .put("reason", damage.what())));
                lines.write('\n');
            }
        }
        return lines.toByteArray();
    }

    private static void requireReadable(byte[] json, String file) {
        try {
            StrictJson.parse(json, file);
        } catch (CorruptDataException e) {
            throw new ConfigException(e.getMessage() + ", as any reader would find; choose fewer strata or lanes", e);
        }
    }
}
