package io.rankfeed.export.commit;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;

/** Local files with the manners of HDFS: a rename onto what is there is refused. Reports what it was asked to delete. */
final class LikeHdfs extends FilterFileSystem {
    /** Of a file system that knows no rename over what is there. */
    static final URI WITHOUT_CONTEXT = URI.create("without-context:///");

    final List<String> deleted = new ArrayList<>();
    /** What another process does just before the next rename. */
    private Before before = () -> {};

    private final URI uri;

    /** What may fail. */
    interface Before {
        void act() throws IOException;
    }

    LikeHdfs(FileSystem local) {
        this(local, local.getUri());
    }

    LikeHdfs(FileSystem local, URI uri) {
        super(local);
        this.uri = uri;
    }

    void beforeRename(Before act) {
        before = act;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    protected void checkPath(Path path) {}

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        Before act = before;
        before = () -> {};
        act.act();
        return !fs.exists(to) && fs.exists(from) && fs.rename(from, to);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        if (fs.exists(path)) {
            deleted.add(path.getName());
        }
        return fs.delete(path, recursive);
    }
}
